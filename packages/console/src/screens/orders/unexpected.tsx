import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ListedUnexpectedPayment, UnexpectedResolve } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useGateway } from '../../parts/gateway.ts';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import { OrderCell, type Waiting, WaitingList, useDecided } from './waiting.tsx';

/** Payments that no order waits for. */
export const unexpectedPayments: Waiting<ListedUnexpectedPayment, { readonly status: 'open' }> = {
  view: 'unexpected',
  resource: 'unexpected',
  path: '/payments/unexpected',
  scope: 'payments:read',
  filter: { status: 'open' },
  read: api.payments.unexpected,
};

export const UnexpectedPayments = () => (
  <WaitingList of={unexpectedPayments} texts={useTexts(texts).payments} columns={useColumns()} />
);

function useColumns(): readonly Column<ListedUnexpectedPayment>[] {
  const t = useTexts(texts).payments;
  const may = useMay();
  const gatewayOf = useGateway();
  const columns: readonly Column<ListedUnexpectedPayment>[] = [
    {
      id: 'order',
      name: t.order,
      cell: ({ order }) => <OrderCell order={order} deleted={t.deleted} />,
    },
    { id: 'gateway', name: t.gateway, cell: ({ gateway }) => gatewayOf(gateway) },
    { id: 'why', name: t.why, cell: ({ reason }) => t.reasons[reason] },
    {
      id: 'amount',
      name: t.amount,
      end: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { id: 'came', name: t.came, cell: ({ created_at }) => <Time at={created_at} as="distance" /> },
  ];
  const decide = {
    id: 'decide',
    name: t.decide,
    end: true,
    cell: (payment: ListedUnexpectedPayment) => <Decide payment={payment} />,
  };
  return may('orders:write') ? [...columns, decide] : columns;
}

function Decide({ payment }: { readonly payment: ListedUnexpectedPayment }) {
  const t = useTexts(texts).payments;
  const decided = useDecided(unexpectedPayments.resource);
  const toast = useToast();
  const resolve = useMutation({
    mutationFn: (action: UnexpectedResolve['action']) =>
      api.payments.resolveUnexpected(payment, { action }),
    onSuccess: () => {
      toast(t.done);
      decided();
    },
  });
  return (
    <span className="row">
      <Button
        aria-label={t.acceptOf(payment.order.number)}
        busy={resolve.isPending}
        onClick={() => resolve.mutate('accept')}
      >
        {t.accept}
      </Button>
      {payment.reason !== 'reversed' && (
        <>
          <Button
            aria-label={t.paidByHandOf(payment.order.number)}
            busy={resolve.isPending}
            onClick={() => resolve.mutate('paid_by_hand')}
          >
            {t.paidByHand}
          </Button>
          <Button
            look="danger"
            aria-label={t.refundOf(payment.order.number)}
            busy={resolve.isPending}
            onClick={() => resolve.mutate('refund')}
          >
            {t.refund}
          </Button>
        </>
      )}
      {resolve.error && <ErrorView error={resolve.error} />}
    </span>
  );
}
