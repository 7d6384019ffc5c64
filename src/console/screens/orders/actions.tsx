import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Order, OrderStatus } from '../../api/generated.ts';
import { useTold } from '../../context/senders.ts';
import { useMay, useStore } from '../../context/session.ts';
import { amountOf, typedAmount } from '../../lib/money.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { useMoney } from '../../parts/money.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { lastRefunds, useRefundsMade } from './refunds.tsx';
import { texts } from './texts.ts';

type Chosen = OrderStatus | 'part-refund';

/** What may become of an order now: the statuses that may follow, and a refund of a part of what was paid. */
export function OrderActions({ order }: { readonly order: Order }) {
  const t = useTexts(texts).action;
  const may = useMay();
  const [chosen, setChosen] = useState<Chosen>();
  const { next_statuses, paid_at, net_total, status_group } = order;
  if (!may('orders:write')) return null;
  if (chosen === 'part-refund')
    return <Refunding order={order} onDone={() => setChosen(undefined)} />;
  if (chosen) return <Moving order={order} to={chosen} onDone={() => setChosen(undefined)} />;
  const isRefundable = paid_at !== null && net_total > 0 && status_group !== 'closed';
  return (
    <>
      {usualFirst(next_statuses).map((status) => (
        <Button key={status} look={lookOf(status, next_statuses)} onClick={() => setChosen(status)}>
          {t.to[status]}
        </Button>
      ))}
      {isRefundable && <Button onClick={() => setChosen('part-refund')}>{t.refund}</Button>}
    </>
  );
}

/** Of the statuses that may follow, that which usually does. */
const usualOf = (next: readonly OrderStatus[]) =>
  next.find((each) => each === 'shipping') ?? next.find((each) => each === 'completed');

const usualFirst = (next: readonly OrderStatus[]) => {
  const usual = usualOf(next);
  return next.toSorted((one, other) => Number(other === usual) - Number(one === usual));
};

const isFinal = (status: OrderStatus) => status === 'cancelled' || status === 'refunded';

/** What usually comes next stands out. */
function lookOf(status: OrderStatus, next: readonly OrderStatus[]) {
  if (isFinal(status)) return 'danger';
  return status === usualOf(next) ? 'primary' : 'plain';
}

/** Forgets what was read of orders, and says what was done. */
function useDone(onDone: () => void): (text: string) => void {
  const client = useQueryClient();
  const toast = useToast();
  return (text) => {
    toast(text);
    onDone();
    for (const name of ['orders', 'overview', 'proofs']) {
      void client.invalidateQueries({ queryKey: [name] });
    }
  };
}

interface ActionProps {
  readonly order: Order;
  readonly onDone: () => void;
}

function Moving({ order, to, onDone }: ActionProps & { readonly to: OrderStatus }) {
  const t = useTexts(texts).action;
  const names = useTexts(orderStatuses);
  const done = useDone(onDone);
  const refundsMade = useRefundsMade();
  const [reason, setReason] = useState('');
  const [tracking, setTracking] = useState(order.shipping?.tracking_number ?? '');
  const isShipped = to === 'shipping';
  const told = useTold(order.user);
  const move = useMutation({
    mutationFn: async () => {
      await api.orders.update(order, {
        status: to,
        ...(reason && { reason }),
        ...(isShipped && { tracking_number: tracking }),
      });
      return to === 'refunded' ? lastRefunds(order) : [];
    },
    onSuccess: (refunds) => done(refundsMade(order, refunds) || t.done(order.number, names[to])),
  });
  return (
    <ActionForm
      className="action"
      action={move}
      verb={t.to[to]}
      look={isFinal(to) ? 'danger' : 'primary'}
      onSubmit={() => move.mutate()}
      onCancel={onDone}
    >
      <p>
        {t.follows[to]} {isShipped && told}
      </p>
      {isShipped && (
        <Field name="tracking_number" label={t.tracking} error={move.error} required>
          <TextInput
            required
            value={tracking}
            onChange={({ target }) => setTracking(target.value)}
          />
        </Field>
      )}
      <Reason value={reason} onChange={setReason} error={move.error} />
    </ActionForm>
  );
}

function Refunding({ order, onDone }: ActionProps) {
  const t = useTexts(texts).action;
  const store = useStore();
  const money = useMoney();
  const done = useDone(onDone);
  const refundsMade = useRefundsMade();
  const [text, setText] = useState(typedAmount(order.net_total, store));
  const [reason, setReason] = useState('');
  const amount = amountOf(text, store);
  const refund = useMutation({
    mutationFn: (sum: number) =>
      api.refunds.create(order.id, { amount: sum, ...(reason && { reason }) }),
    onSuccess: ({ data: { refund: made, rest } }) =>
      done(refundsMade(order, rest ? [made, rest] : [made])),
  });
  return (
    <ActionForm
      className="action"
      action={refund}
      verb={t.refund}
      look="danger"
      disabled={amount === undefined}
      onSubmit={() => amount !== undefined && refund.mutate(amount)}
      onCancel={onDone}
    >
      <p>{t.refundFollows}</p>
      <Field
        name="amount"
        label={t.amount}
        hint={
          amount === undefined
            ? t.amountWrong
            : t.amountHint(money(order.net_total, order.currency))
        }
        error={refund.error}
        required
      >
        <TextInput
          required
          inputMode="decimal"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Reason value={reason} onChange={setReason} error={refund.error} />
    </ActionForm>
  );
}

interface ReasonProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: Error | null;
}

function Reason({ value, onChange, error }: ReasonProps) {
  const t = useTexts(texts).action;
  return (
    <Field name="reason" label={t.reason} hint={t.reasonHint} error={error}>
      <TextArea rows={2} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
