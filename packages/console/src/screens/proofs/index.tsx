import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { ConfirmationWithOrder } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ApproveMatching } from './approve-matching.tsx';
import { Proof } from './proof.tsx';
import { texts } from './texts.ts';

const views = ['approved', 'rejected'] as const;
type View = (typeof views)[number];

export default function Proofs() {
  const t = useTexts(texts);
  const state = useListState();
  const open = useRecordId('/proofs/:id');
  const view = views.find((each) => each === state.values['view']);
  const may = useMay();
  const queue = useQueue();
  const total = queue.data?.meta.pagination?.total;
  const tabs = [undefined, ...views].map((each) => ({
    href: each ? `/proofs?view=${each}` : '/proofs',
    name: t[each ?? 'waiting'],
    current: !open && each === view,
    count: each ? undefined : total?.toString(),
  }));
  return (
    <Page title={t.title} lead={!open && !view && total ? t.left(total) : undefined}>
      <LinkTabs label={t.views} items={tabs} />
      {open && <OneProof id={open} />}
      {!open && view && <Reviewed view={view} state={state} />}
      {!open && !view && (
        <>
          {may('confirmations:write') && <ApproveMatching total={total ?? 0} />}
          <Queue queue={queue} />
        </>
      )}
    </Page>
  );
}

/** Loads the waiting proofs, oldest first. */
const useQueue = () =>
  useList(
    'proofs',
    { status: 'pending', sort: 'id', per_page: 10 } as const,
    api.confirmations.list,
  );

function Queue({ queue }: { readonly queue: ReturnType<typeof useQueue> }) {
  const { done } = useTexts(texts);
  const { data, error, refetch } = queue;
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const [first] = data.data;
  if (first) return <Proof key={first.id} proof={first} />;
  return <EmptyState title={done.title} text={done.text} />;
}

/** The proof at an address. After its review, the next waiting one is shown. */
function OneProof({ id }: { readonly id: number }) {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ['proofs', id],
    queryFn: async ({ signal }) => (await api.confirmations.get(id, { signal })).data,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Proof key={id} proof={data} onReviewed={() => navigate('/proofs')} /> : null;
}

function Reviewed({ view, state }: { readonly view: View; readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const query = { status: view, cursor: state.values['cursor'] };
  const list = useList('proofs', query, api.confirmations.list);
  return (
    <RecordList
      list={list}
      state={state}
      empty={<EmptyState {...t.none[view]} />}
      label={t[view]}
      columns={columns}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/proofs/${id}`}
      source={{ path: '/confirmations', query }}
    />
  );
}

function useColumns(): readonly Column<ConfirmationWithOrder>[] {
  const t = useTexts(texts).columns;
  return [
    { id: 'order', name: t.order, cell: ({ order, order_id }) => order?.number ?? `#${order_id}` },
    { id: 'buyer', name: t.buyer, cell: ({ order }) => order?.user.display_name },
    {
      id: 'amount',
      name: t.amount,
      end: true,
      cell: ({ detail, order }) =>
        detail.total !== null && order && <Money amount={detail.total} currency={order.currency} />,
    },
    {
      id: 'reviewed',
      name: t.reviewed,
      end: true,
      cell: ({ reviewed_at, updated_at }) => <Time at={reviewed_at ?? updated_at} as="distance" />,
    },
  ];
}
