import type { User } from '../../api/generated.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Status } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { PersonSheet } from './person.tsx';
import { usePeople, useRoleName, useRoles } from './team.ts';
import { texts } from './texts.ts';

const hrefOf = ({ id }: User) => `/team/${id}`;

/**
 * All people with a role in the console.
 * @param open the id of the person whose sheet is open
 */
export function People({ open }: { readonly open: number | undefined }) {
  const t = useTexts(texts);
  const roles = useRoles();
  const people = usePeople();
  const roleOf = useRoleName(roles.data);
  const error = people.error ?? roles.error;
  if (error) return <ErrorView error={error} onRetry={() => void people.refetch()} />;
  if (!people.data || !roles.data) return null;
  const columns: readonly Column<User>[] = [
    { id: 'name', name: t.columns.name, cell: ({ display_name }) => display_name },
    { id: 'role', name: t.columns.role, cell: roleOf },
    { id: 'email', name: t.columns.email, cell: ({ email }) => email },
    {
      id: 'status',
      name: t.columns.status,
      cell: ({ status }) => (status === 'active' ? null : <Status tone="bad">{t.blocked}</Status>),
    },
  ];
  return (
    <>
      <DataTable
        label={t.people}
        columns={columns}
        rows={people.data}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
      />
      {open !== undefined && (
        <PersonSheet id={open} people={people} roles={roles.data} hrefOf={hrefOf} />
      )}
    </>
  );
}
