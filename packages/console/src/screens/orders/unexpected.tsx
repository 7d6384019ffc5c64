import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ListedUnexpectedPayment, UnexpectedResolve } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useGateway } from '../../parts/gateway.ts';
import { Money, useMoney } from '../../parts/money.tsx';
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
      cell: (payment) => <Came payment={payment} />,
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

/** The amount that came, and what was refunded of it. */
function Came({ payment }: { readonly payment: ListedUnexpectedPayment }) {
  const { amount, refunded_total, currency } = payment;
  const t = useTexts(texts).payments;
  const text = useMoney();
  return (
    <>
      <Money amount={amount} currency={currency} />
      {refunded_total > 0 && (
        <span className="faint"> · {t.refunded(text(refunded_total, currency))}</span>
      )}
    </>
  );
}

type Action = UnexpectedResolve['action'];

function Decide({ payment }: { readonly payment: ListedUnexpectedPayment }) {
  const t = useTexts(texts).payments;
  const decided = useDecided(unexpectedPayments.resource);
  const toast = useToast();
  // Money that the bank took back can't be paid back.
  const actions: readonly Action[] =
    payment.reason === 'reversed' ? ['accept'] : ['accept', 'paid_by_hand', 'refund'];
  const resolve = useMutation({
    mutationFn: (action: Action) => api.payments.resolveUnexpected(payment, { action }),
    onSuccess: () => {
      toast(t.done);
      decided();
    },
  });
  return (
    <span className="row">
      {actions.map((action) => (
        <Button
          key={action}
          look={action === 'refund' ? 'danger' : 'plain'}
          aria-label={t.actionOf[action](payment.order.number)}
          busy={resolve.isPending}
          onClick={() => resolve.mutate(action)}
        >
          {t.action[action]}
        </Button>
      ))}
      {resolve.error && <ErrorView error={resolve.error} />}
    </span>
  );
}
