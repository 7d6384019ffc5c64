import type { StaffRole } from '../../api/generated.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useMayWords } from '../keys/words.ts';
import { useRoles } from './team.ts';
import { texts } from './texts.ts';

export function Roles() {
  const t = useTexts(texts);
  const may = useMayWords();
  const { data, error, refetch } = useRoles();
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const columns: readonly Column<StaffRole>[] = [
    { id: 'name', name: t.columns.role, cell: ({ name }) => name },
    { id: 'may', name: t.may, cell: ({ scopes }) => may(scopes) },
    { id: 'users', name: t.columns.users, end: true, cell: ({ users }) => users },
  ];
  return (
    <>
      <p className="hint roles-note">{t.administratorMay}</p>
      <DataTable
        label={t.roles}
        columns={columns}
        rows={data}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/team/roles/${id}`}
      />
    </>
  );
}
