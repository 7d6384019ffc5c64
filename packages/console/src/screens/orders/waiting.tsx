import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type ListPage, useList } from '../../api/list.ts';
import { type Scope, useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { RecordList } from '../../parts/record-list.tsx';

interface Paging {
  readonly cursor?: string | undefined;
  readonly per_page?: number;
}

/** Records that wait for somebody to decide, as a view of the orders. */
export interface Waiting<Row, Filter extends object> {
  /** The view in the address. */
  readonly view: string;
  /** The resource, by which writes invalidate its lists. */
  readonly resource: string;
  readonly path: string;
  readonly scope: Scope;
  /** Narrows the list to what waits. */
  readonly filter: Filter;
  readonly read: (
    query: Filter & Paging,
    options: { readonly signal: AbortSignal },
  ) => Promise<ListPage<Row>>;
}

interface WaitingLinkProps<Row, Filter extends object> {
  readonly of: Waiting<Row, Filter>;
  readonly name: string;
}

/** Links to the view, with the number of its records; nothing while there are none. */
export function WaitingLink<Row, Filter extends object>({
  of,
  name,
}: WaitingLinkProps<Row, Filter>) {
  const current = useListState().values['view'] === of.view;
  const may = useMay();
  const { data } = useQuery({
    queryKey: [of.resource, 'count', of.view],
    queryFn: ({ signal }) => of.read({ ...of.filter, per_page: 1 }, { signal }),
    enabled: may(of.scope),
  });
  const total = data?.meta.pagination?.total ?? 0;
  if (total === 0 && !current) return null;
  return (
    <Link
      className="button plain"
      href={`/orders?view=${of.view}`}
      aria-current={current ? 'page' : undefined}
    >
      {name}
      <span className="count">{total}</span>
    </Link>
  );
}

interface WaitingListProps<Row, Filter extends object> {
  readonly of: Waiting<Row, Filter>;
  readonly texts: {
    readonly title: string;
    readonly lead: string;
    readonly empty: string;
    readonly emptyText: string;
  };
  readonly columns: readonly Column<Row>[];
}

export function WaitingList<Row extends { readonly id: number }, Filter extends object>({
  of,
  texts: t,
  columns,
}: WaitingListProps<Row, Filter>) {
  const state = useListState();
  const query = { ...of.filter, cursor: state.values['cursor'] };
  const list = useList(of.resource, query, of.read);
  return (
    <>
      <p className="lead toolbar">{t.lead}</p>
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={t.empty} text={t.emptyText} />}
        label={t.title}
        columns={columns}
        idOf={({ id }) => id}
        source={{ path: of.path, query }}
      />
    </>
  );
}

/** Reads the lists again that a decision changes. */
export function useDecided(resource: string): () => void {
  const client = useQueryClient();
  return () => {
    for (const name of [resource, 'orders', 'overview']) {
      void client.invalidateQueries({ queryKey: [name] });
    }
  };
}

interface OrderCellProps {
  readonly order: {
    readonly id: number;
    readonly number: string;
    readonly deleted_at: string | null;
  };
  /** Marks a deleted order. */
  readonly deleted: string;
}

/** The number of an order; a link unless it is deleted. */
export const OrderCell = ({ order: { id, number, deleted_at }, deleted }: OrderCellProps) =>
  deleted_at === null ? (
    <Link href={`/orders/${id}`}>{number}</Link>
  ) : (
    <>
      {number} <span className="faint">{deleted}</span>
    </>
  );
