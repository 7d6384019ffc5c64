import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChips, SearchField } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Status } from '../../parts/status.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { CustomerSheet } from './sheet.tsx';
import { texts } from './texts.ts';

export default function Customers() {
  const t = useTexts(texts);
  const state = useListState();
  return (
    <Page title={t.title} lead={t.lead}>
      <Views state={state} />
      <CustomerList state={state} />
    </Page>
  );
}

type View = keyof (typeof texts)['en']['view'];

const viewQueries = {
  '': {},
  affiliate: { role: 'affiliate' },
  blocked: { status: 'blocked' },
} as const;

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { view: current = '' } = state.values;
  const items = (Object.keys(viewQueries) as View[]).map((view) => ({
    href: `/customers${state.query({ view, cursor: '' })}`,
    name: t.view[view],
    current: view === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function CustomerList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const open = useRecordId('/customers/:id');
  const { view = '', search = '', cursor } = state.values;
  const query = { ...viewQueries[view as View], search: search || undefined, cursor };
  const list = useList('users', query, api.users.list);
  const hrefOf = ({ id }: User) => `/customers/${id}${state.query()}`;
  return (
    <>
      <div className="toolbar">
        <SearchField
          value={search}
          label={t.search}
          onSearch={(text) => state.set({ search: text })}
        />
        <FilterChips
          items={
            search
              ? [{ name: t.searched, value: search, onRemove: () => state.set({ search: '' }) }]
              : []
          }
        />
      </div>
      <RecordList
        list={list}
        state={state}
        empty={<Nobody isFiltered={search !== '' || view !== ''} />}
        label={t.title}
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/users', query }}
      />
      {open && (
        <CustomerSheet
          key={open}
          id={open}
          rows={list.data?.data ?? []}
          hrefOf={hrefOf}
          state={state}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<User>[] {
  const t = useTexts(texts);
  return [
    {
      id: 'name',
      name: t.columns.name,
      cell: ({ display_name, status }) => (
        <>
          {display_name}
          {status !== 'active' && (
            <>
              {' '}
              <Status tone="bad">{t.statuses[status]}</Status>
            </>
          )}
        </>
      ),
    },
    { id: 'phone', name: t.columns.phone, cell: ({ phone }) => phone },
    { id: 'email', name: t.columns.email, cell: ({ email }) => email },
    { id: 'group', name: t.columns.group, wideOnly: true, cell: ({ group }) => group?.name },
    {
      id: 'since',
      name: t.columns.since,
      end: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
}

function Nobody({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  const { title, text } = isFiltered ? nothing : empty;
  const body = JSON.stringify({ email: 'buyer@example.com' });
  return (
    <EmptyState
      title={title}
      text={text}
      {...(!isFiltered && { call: { method: 'POST', path: '/users', body } })}
    >
      <Link className="button plain" href={isFiltered ? '/customers' : '/products'}>
        {isFiltered ? nothing.all : empty.products}
      </Link>
    </EmptyState>
  );
}
