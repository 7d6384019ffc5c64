import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ListedRefund, Order, Refund } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Money, useMoney } from '../../parts/money.tsx';
import { OrderState } from '../../parts/order-status.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import { OrderCell, type Waiting, WaitingList, useDecided } from './waiting.tsx';

/** The refunds of an order, newest first; undefined until they are read. */
export const useRefundsOf = (order: Order | undefined): readonly Refund[] | undefined =>
  useQuery({
    queryKey: ['orders', order?.id, 'refund-list', order?.version],
    queryFn: async ({ signal }) => (await api.refunds.list(order?.id ?? 0, { signal })).data,
    enabled: order !== undefined && order.refunded_total > 0,
  }).data;

/** The sums of valid refunds, and of those whose money is still at the provider. */
export function openSums(refunds: readonly Refund[]): { requested: number; failed: number } {
  const sumOf = (...states: Refund['state'][]) =>
    refunds
      .filter(({ state, reopened_at }) => reopened_at === null && states.includes(state))
      .reduce((sum, { amount }) => sum + amount, 0);
  return { requested: sumOf('requested', 'sent'), failed: sumOf('failed') };
}

/**
 * The status of an order. A refunded order whose money hasn't gone back has a status of its own.
 */
export function RefundedState({ order }: { readonly order: Order }) {
  const t = useTexts(texts).refunds;
  const refunds = useRefundsOf(order);
  if (order.status !== 'refunded') return <OrderState status={order.status} />;
  if (!refunds) return <Status tone="neutral">{t.full}</Status>;
  const { requested, failed } = openSums(refunds);
  if (failed > 0) return <Status tone="bad">{t.failed}</Status>;
  if (requested > 0) return <Status tone="wait">{t.requested}</Status>;
  return <OrderState status={order.status} />;
}

export const refundTone = (state: Refund['state']): Tone => {
  if (state === 'failed') return 'bad';
  return state === 'requested' || state === 'sent' ? 'wait' : 'neutral';
};

/** Says who pays a refund of an order: no provider has the money of a transfer or of a payment on delivery. */
export function usePayer({ payment_gateway }: Order): string {
  const { payer: t } = useTexts(texts).refunds;
  return /^(manual|cod)\b/.test(payment_gateway) ? t.store : t.provider;
}

/** Says for each new refund if the provider pays it back, or the store has to do so by hand. */
export function useRefundsMade(): (order: Order, made: readonly Refund[]) => string {
  const { made: said } = useTexts(texts).refunds;
  const money = useMoney();
  return ({ number }, made) =>
    made
      .map(({ state, amount, currency }) =>
        (state === 'manual' ? said.manual : said.requested)(number, money(amount, currency)),
      )
      .join(' · ');
}

/** The refunds that the last change of an order made. */
export async function lastRefunds({ id }: Order): Promise<readonly Refund[]> {
  const { data } = await api.refunds.list(id);
  return data.filter(({ created_at }) => created_at === data[0]?.created_at);
}

/** Records that a failed refund was paid back by hand. */
export function PaidByHand({ refund }: { readonly refund: Refund }) {
  const t = useTexts(texts).refunds;
  const may = useMay();
  const decided = useDecided(failedRefunds.resource);
  const toast = useToast();
  const money = useMoney();
  const resolve = useMutation({
    mutationFn: () => api.refunds.resolve(refund.id, { action: 'paid_by_hand' }),
    onSuccess: () => {
      toast(t.done);
      decided();
    },
  });
  if (refund.state !== 'failed' || !may('orders:write')) return null;
  return (
    <>
      <Button
        aria-label={t.paidOf(money(refund.amount, refund.currency))}
        busy={resolve.isPending}
        onClick={() => resolve.mutate()}
      >
        {t.paid}
      </Button>
      {resolve.error && <ErrorView error={resolve.error} />}
    </>
  );
}

/** Refunds to pay back by hand, also of deleted orders. */
export const failedRefunds: Waiting<ListedRefund, { readonly state: 'failed' }> = {
  view: 'refunds',
  resource: 'refunds',
  path: '/refunds',
  scope: 'payments:read',
  filter: { state: 'failed' },
  read: api.refunds.listAll,
};

const days = 7;

/** The refunds that `to_do` of the overview counts, too. Nobody notes that their money was sent. */
export const refundsByHand: Waiting<ListedRefund, { state: 'manual'; date_start: string }> = {
  view: 'refunds-by-hand',
  resource: 'refunds',
  path: '/refunds',
  scope: 'payments:read',
  filter: {
    state: 'manual',
    date_start: new Date(Date.now() - days * 86_400_000).toISOString(),
  },
  read: api.refunds.listAll,
};

export const RefundsByHand = () => (
  <WaitingList
    of={refundsByHand}
    texts={useTexts(texts).refundsByHand}
    columns={useColumns().filter(({ id }) => id !== 'paid')}
  />
);

export const FailedRefunds = () => (
  <WaitingList of={failedRefunds} texts={useTexts(texts).refunds} columns={useColumns()} />
);

function useColumns(): readonly Column<ListedRefund>[] {
  const t = useTexts(texts).refunds;
  return [
    {
      id: 'order',
      name: t.order,
      cell: ({ order }) => <OrderCell order={order} deleted={t.deleted} />,
    },
    {
      id: 'amount',
      name: t.amount,
      end: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { id: 'why', name: t.why, wideOnly: true, cell: ({ reason }) => reason },
    { id: 'made', name: t.at, cell: ({ created_at }) => <Time at={created_at} as="distance" /> },
    { id: 'paid', name: t.paid, end: true, cell: (refund) => <PaidByHand refund={refund} /> },
  ];
}
