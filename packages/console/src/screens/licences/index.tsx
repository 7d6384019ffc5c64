import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { License, LicenseStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChips, SearchField } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { LicenseSheet } from './sheet.tsx';
import { LicenseState, useSeats } from './state.tsx';
import { texts } from './texts.ts';

export default function Licenses() {
  const t = useTexts(texts);
  const state = useListState();
  return (
    <Page title={t.title} lead={t.lead}>
      <Views state={state} />
      <LicenseList state={state} />
    </Page>
  );
}

const statuses: readonly LicenseStatus[] = ['active', 'pending', 'inactive'];

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const { status: current = '' } = state.values;
  const items = (['', ...statuses] as const).map((status) => ({
    href: `/licences${state.query({ status, cursor: '' })}`,
    name: status === '' ? all : t.statuses[status],
    current: status === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function LicenseList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const open = useRecordId('/licences/:id');
  const { status, search = '', cursor } = state.values;
  const query = {
    status: statuses.find((each) => each === status),
    search: search || undefined,
    cursor,
  };
  const list = useList('licenses', query, api.licenses.list);
  const hrefOf = ({ id }: License) => `/licences/${id}${state.query()}`;
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
        empty={<NoLicenses isFiltered={Boolean(search || status)} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/licenses', query }}
      />
      {open && (
        <LicenseSheet id={open} rows={list.data?.data ?? []} hrefOf={hrefOf} state={state} />
      )}
    </>
  );
}

function useColumns(): readonly Column<License>[] {
  const t = useTexts(texts);
  const seatsOf = useSeats();
  return [
    { id: 'code', name: t.columns.code, cell: ({ code }) => <code>{code}</code> },
    { id: 'status', name: t.columns.status, cell: (license) => <LicenseState license={license} /> },
    { id: 'strings', name: t.columns.strings, cell: ({ strings }) => strings.join(', ') },
    { id: 'seats', name: t.columns.seats, end: true, cell: seatsOf },
    {
      id: 'ends',
      name: t.columns.ends,
      end: true,
      wideOnly: true,
      cell: ({ expires_at }) =>
        expires_at ? (
          <Time at={expires_at} as="distance" />
        ) : (
          <span className="faint">{t.never}</span>
        ),
    },
  ];
}

function NoLicenses({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  const { title, text } = isFiltered ? nothing : empty;
  return (
    <EmptyState title={title} text={text}>
      <Link className="button plain" href={isFiltered ? '/licences' : '/products'}>
        {isFiltered ? nothing.all : empty.products}
      </Link>
    </EmptyState>
  );
}
