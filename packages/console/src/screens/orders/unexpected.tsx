import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { ListedUnexpectedPayment } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useGateway } from '../../parts/gateway.ts';
import { Money } from '../../parts/money.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** Payments that wait for a decision. */
export function UnexpectedPayments() {
  const { payments: t, unexpected } = useTexts(texts);
  const state = useListState();
  const columns = useColumns();
  const query = { status: 'open', cursor: state.values['cursor'] } as const;
  const list = useList('unexpected', query, api.payments.unexpected);
  return (
    <>
      <p className="lead toolbar">{t.lead}</p>
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={t.empty} text={t.emptyText} />}
        label={unexpected}
        columns={columns}
        idOf={({ id }) => id}
        source={{ path: '/payments/unexpected', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<ListedUnexpectedPayment>[] {
  const t = useTexts(texts).payments;
  const may = useMay();
  const gatewayOf = useGateway();
  const columns: readonly Column<ListedUnexpectedPayment>[] = [
    {
      id: 'order',
      name: t.order,
      cell: ({ order: { id, number, deleted_at } }) =>
        deleted_at === null ? (
          <Link href={`/orders/${id}`}>{number}</Link>
        ) : (
          `${number} ${t.deleted}`
        ),
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
  const client = useQueryClient();
  const toast = useToast();
  const resolve = useMutation({
    mutationFn: (action: 'accept' | 'refund') =>
      api.payments.resolveUnexpected(payment, { action }),
    onSuccess: () => {
      toast(t.done);
      for (const name of ['unexpected', 'orders', 'overview']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
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
      <Button
        look="danger"
        aria-label={t.refundOf(payment.order.number)}
        busy={resolve.isPending}
        onClick={() => resolve.mutate('refund')}
      >
        {t.refund}
      </Button>
      {resolve.error && <ErrorView error={resolve.error} />}
    </span>
  );
}
