import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { Branch } from './branch.tsx';
import { texts } from './texts.ts';

export default function Tree() {
  const t = useTexts(texts);
  const state = useListState();
  const open = useRecordId('/tree/:id');
  if (open) return <Branch key={open} id={open} />;
  return (
    <Page title={t.title} lead={t.lead}>
      <People state={state} />
    </Page>
  );
}

/** The affiliates, or the people found by a search. */
function People({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { noMatches } = useTexts(common);
  const columns = useColumns();
  const { search = '', cursor } = state.values;
  const query = search ? { search, cursor } : ({ role: 'affiliate', cursor } as const);
  const list = useList('users', query, api.users.list);
  return (
    <>
      <div className="toolbar">
        <SearchField
          value={search}
          label={t.search}
          onSearch={(text) => state.set({ search: text })}
        />
      </div>
      <RecordList
        list={list}
        state={state}
        empty={
          <EmptyState
            title={search ? noMatches : t.empty.title}
            text={search ? t.search : t.empty.text}
          >
            <Link className="button plain" href={search ? '/tree' : '/customers'}>
              {search ? t.affiliates : t.empty.customers}
            </Link>
          </EmptyState>
        }
        label={search ? t.found : t.affiliates}
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/tree/${id}`}
        source={{ path: '/users', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<User>[] {
  const t = useTexts(texts).columns;
  return [
    { id: 'name', name: t.name, cell: ({ display_name }) => display_name },
    { id: 'phone', name: t.phone, cell: ({ phone }) => phone },
    { id: 'email', name: t.email, wideOnly: true, cell: ({ email }) => email },
    {
      id: 'since',
      name: t.since,
      end: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
}
