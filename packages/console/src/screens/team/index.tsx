import { Link, useRoute } from 'wouter';
import { useMay } from '../../context/session.ts';
import { useRecordId } from '../../lib/record-id.ts';
import { OnlyFor } from '../../parts/only-for.tsx';
import { Page } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Invitation } from './invitation.tsx';
import { People } from './people.tsx';
import { EditedRole, NewRole } from './role-form.tsx';
import { Roles } from './roles.tsx';
import { texts } from './texts.ts';

export default function Team() {
  const t = useTexts(texts);
  const isAdministrator = useMay()('administrator');
  const [isNew] = useRoute('/team/new');
  const [isNewRole] = useRoute('/team/roles/new');
  const role = useRecordId('/team/roles/:id');
  const [isRoles] = useRoute('/team/roles');
  const person = useRecordId('/team/:id');
  if (isNew || isNewRole) {
    return <OnlyFor needs="administrator">{isNew ? <Invitation /> : <NewRole />}</OnlyFor>;
  }
  if (role) return <EditedRole id={role} />;
  const actions = isAdministrator && (
    <Link className="button primary" href={isRoles ? '/team/roles/new' : '/team/new'}>
      {isRoles ? t.newRole : t.invite}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={actions}>
      <LinkTabs
        label={t.title}
        items={[
          { href: '/team', name: t.people, current: !isRoles },
          { href: '/team/roles', name: t.roles, current: isRoles },
        ]}
      />
      {isRoles ? <Roles /> : <People open={person} />}
    </Page>
  );
}
