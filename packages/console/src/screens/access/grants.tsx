import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Access, AccessStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import type { ListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useCustomerNames } from '../../parts/names.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { Select } from '../../parts/select.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { GrantSheet } from './sheet.tsx';
import { texts } from './texts.ts';

interface Of {
  readonly state: ListState;
}

const statuses = Object.keys(texts.en.statuses) as AccessStatus[];

export function Grants({ state }: Of) {
  const t = useTexts(texts);
  const open = useRecordId('/access/:id');
  const { status, product_id, user_id, cursor } = state.values;
  const filters = {
    status: statuses.find((each) => each === status),
    product_id: product_id ? Number(product_id) : undefined,
    user_id: user_id ? Number(user_id) : undefined,
  };
  const query = { ...filters, cursor };
  const list = useList('access', query, api.access.list);
  const nameOf = useCustomerNames((list.data?.data ?? []).map((grant) => grant.user_id));
  const columns = useColumns(nameOf);
  const hrefOf = ({ id }: Access) => `/access/${id}${state.query()}`;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Filters state={state} />
      <RecordList
        list={list}
        state={state}
        empty={<NoGrants isFiltered={isFiltered} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/access', query }}
      />
      {open && (
        <GrantSheet
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

function Filters({ state }: Of) {
  const t = useTexts(texts);
  const products = useProducts() ?? [];
  const { status = '', product_id = '' } = state.values;
  return (
    <div className="toolbar">
      <Select
        label={t.filters.status}
        value={status}
        options={[
          ['', t.filters.every],
          ...statuses.map((each) => [each, t.statuses[each]] as const),
        ]}
        onChange={(value) => state.set({ status: value })}
      />
      <Select
        label={t.filters.product}
        value={product_id}
        options={[
          ['', t.filters.allProducts],
          ...products.map(({ id, title }) => [String(id), title] as const),
        ]}
        onChange={(value) => state.set({ product_id: value })}
      />
    </div>
  );
}

const tones: Readonly<Record<AccessStatus, Tone>> = {
  active: 'good',
  pending: 'wait',
  expired: 'neutral',
  revoked: 'bad',
};

const State = ({ status }: { readonly status: AccessStatus }) => (
  <Status tone={tones[status]}>{useTexts(texts).statuses[status]}</Status>
);

function useColumns(nameOf: (user: number) => string): readonly Column<Access>[] {
  const { columns: t, sources, forever } = useTexts(texts);
  return [
    { id: 'user', name: t.user, cell: (grant) => nameOf(grant.user_id) },
    { id: 'status', name: t.status, cell: ({ status }) => <State status={status} /> },
    { id: 'product', name: t.product, cell: ({ product_name }) => product_name },
    { id: 'source', name: t.source, wideOnly: true, cell: ({ source }) => sources[source] },
    {
      id: 'ends',
      name: t.ends,
      end: true,
      cell: ({ end_active }) =>
        end_active ? (
          <Time at={end_active} as="distance" />
        ) : (
          <span className="faint">{forever}</span>
        ),
    },
  ];
}

function NoGrants({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  const { title, text } = isFiltered ? nothing : empty;
  return (
    <EmptyState title={title} text={text}>
      <Link className="button plain" href={isFiltered ? '/access' : '/customers'}>
        {isFiltered ? nothing.all : empty.customers}
      </Link>
    </EmptyState>
  );
}
