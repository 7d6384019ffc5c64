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
  readonly rows: readonly User[];
  readonly roles: readonly StaffRole[];
  readonly hrefOf: (user: User) => string;
}

export function PersonSheet({ id, rows, roles, hrefOf }: PersonSheetProps) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const isAdministrator = useMay()('administrator');
  const may = useMayWords();
  const roleOf = useRoleName(roles);
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const user = rows.find((row) => row.id === id);
  if (!user) return null;
  const role = roles.find((each) => each.id === user.staff_role_id);
  return (
    <Sheet
      title={user.display_name}
      onClose={() => navigate('/team')}
      {...neighbours}
      actions={isAdministrator && <Actions user={user} roles={roles} />}
    >
      <Facts
        items={[
          [t.columns.email, user.email && <a href={`mailto:${user.email}`}>{user.email}</a>],
          [t.columns.role, roleOf(user)],
          [t.may, user.is_admin ? t.everything : role && may(role.scopes)],
        ]}
      />
      {isAdministrator && <PersonSessions user={user} />}
    </Sheet>
  );
}

interface ActionsProps {
  readonly user: User;
  readonly roles: readonly StaffRole[];
}

function Actions({ user, roles }: ActionsProps) {
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
