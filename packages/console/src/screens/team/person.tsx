import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { StaffRole, User } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useMayWords } from '../keys/words.ts';
import { LinkDialog } from './link-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { PersonSessions } from './sessions.tsx';
import { useRoleName } from './team.ts';
import { texts } from './texts.ts';

interface PersonSheetProps {
  readonly id: number;
  readonly people: UseQueryResult<readonly User[]>;
  readonly roles: readonly StaffRole[];
  readonly hrefOf: (user: User) => string;
}

export function PersonSheet({ id, people, roles, hrefOf }: PersonSheetProps) {
  const [, navigate] = useLocation();
  const isAdministrator = useMay()('administrator');
  const rows = people.data ?? [];
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const user = rows.find((row) => row.id === id);
  return (
    <Sheet
      title={user?.display_name}
      query={people}
      onClose={() => navigate('/team')}
      {...neighbours}
      actions={user && isAdministrator && <Actions user={user} roles={roles} />}
    >
      {user && <About user={user} roles={roles} />}
      {user && isAdministrator && <PersonSessions user={user} />}
    </Sheet>
  );
}

interface Part {
  readonly user: User;
  readonly roles: readonly StaffRole[];
}

function About({ user, roles }: Part) {
  const t = useTexts(texts);
  const may = useMayWords();
  const roleOf = useRoleName(roles);
  const role = roles.find((each) => each.id === user.staff_role_id);
  return (
    <Facts
      items={[
        [t.columns.email, user.email && <a href={`mailto:${user.email}`}>{user.email}</a>],
        [t.columns.role, roleOf(user)],
        [t.may, user.is_admin ? t.everything : role && may(role.scopes)],
      ]}
    />
  );
}

function Actions({ user, roles }: Part) {
  const t = useTexts(texts);
  const [asked, setAsked] = useState<'role' | 'link'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button onClick={() => setAsked('role')}>{t.changeRole}</Button>
      <Button onClick={() => setAsked('link')}>{t.sendLink}</Button>
      {asked === 'role' && <RoleDialog user={user} roles={roles} onClose={close} />}
      {asked === 'link' && <LinkDialog user={user} onClose={close} />}
    </>
  );
}
