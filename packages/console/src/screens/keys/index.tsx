import { useQuery } from '@tanstack/react-query';
import { Link, useRoute } from 'wouter';
import { api } from '../../api/client.ts';
import type { ApiKey } from '../../api/generated.ts';
import { useRecordId } from '../../lib/record-id.ts';
import { CodeBox } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { KeyForm } from './form.tsx';
import { KeySheet } from './sheet.tsx';
import { KeyState } from './state.tsx';
import { texts } from './texts.ts';
import { useMayWords } from './words.ts';

export default function Keys() {
  const t = useTexts(texts);
  const [isNew] = useRoute('/keys/new');
  const edited = useRecordId('/keys/:id/edit');
  const open = useRecordId('/keys/:id');
  const create = (
    <Link className="button primary" href="/keys/new">
      {t.new}
    </Link>
  );
  if (isNew) return <KeyForm />;
  if (edited) return <EditedKey id={edited} />;
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <KeyList open={open} />
    </Page>
  );
}

const sameOnCommandLine =
  "npm run --silent key -- create --name 'Shop backend' --scopes orders:read,orders:write";

const useKeyList = () =>
  useQuery({
    queryKey: ['keys', 'list'],
    queryFn: async ({ signal }) => (await api.keys.list({ signal })).data,
  });

function EditedKey({ id }: { readonly id: number }) {
  const { sheet } = useTexts(common);
  const { data, error, refetch } = useKeyList();
  const key = data?.find((row) => row.id === id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return key ? <KeyForm apiKey={key} /> : <p>{sheet.noRecord}</p>;
}

function KeyList({ open }: { readonly open: number | undefined }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const list = useKeyList();
  const { data, error, refetch } = list;
  const hrefOf = ({ id }: ApiKey) => `/keys/${id}`;
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.length === 0) {
    return (
      <EmptyState title={t.empty.title} text={t.empty.text}>
        <CodeBox text={sameOnCommandLine} label={t.detail.commandLine} />
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label={t.title}
        columns={columns}
        rows={data}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
      />
      {open !== undefined && <KeySheet id={open} list={list} hrefOf={hrefOf} />}
    </>
  );
}

function useColumns(): readonly Column<ApiKey>[] {
  const { columns: t, never } = useTexts(texts);
  const may = useMayWords();
  return [
    { id: 'name', name: t.name, cell: ({ name }) => name },
    { id: 'state', name: t.state, cell: (key) => <KeyState status={key.status} /> },
    { id: 'may', name: t.may, wideOnly: true, cell: ({ scopes }) => may(scopes) },
    {
      id: 'used',
      name: t.used,
      end: true,
      cell: ({ last_used_at }) =>
        last_used_at ? (
          <Time at={last_used_at} as="distance" />
        ) : (
          <span className="faint">{never}</span>
        ),
    },
    {
      id: 'ends',
      name: t.ends,
      end: true,
      cell: ({ expires_at }) =>
        expires_at ? (
          <Time at={expires_at} as="distance" />
        ) : (
          <span className="faint">{never}</span>
        ),
    },
  ];
}
