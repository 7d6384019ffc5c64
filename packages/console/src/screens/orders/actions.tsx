import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Order, OrderStatus } from '../../api/generated.ts';
import { useTold } from '../../context/senders.ts';
import { useMay, useStore } from '../../context/session.ts';
import { amountOf } from '../../lib/money.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { useMoney } from '../../parts/money.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { moveTexts } from './move-texts.ts';
import { type NextStatus, nextOf } from './moves.ts';
import { lastRefunds, usePayer, useRefundsMade } from './refunds.tsx';
import { texts } from './texts.ts';

type Chosen = NextStatus | 'part-refund';

/** Buttons for an order: everyday changes of status, a refund of a part, and rare changes under a menu. */
export function OrderActions({ order }: { readonly order: Order }) {
  const may = useMay();
  const [chosen, setChosen] = useState<Chosen>();
  if (!may('orders:write')) return null;
  const onDone = () => setChosen(undefined);
  if (chosen === 'part-refund') return <Refunding order={order} onDone={onDone} />;
  if (chosen) return <Moving order={order} next={chosen} onDone={onDone} />;
  return <Choices order={order} onChoose={setChosen} />;
}

interface ChoicesProps {
  readonly order: Order;
  readonly onChoose: (chosen: Chosen) => void;
}

function Choices({ order, onChoose }: ChoicesProps) {
  const t = useTexts(texts).action;
  const words = useTexts(moveTexts);
  const [showsRare, setShowsRare] = useState(false);
  const { usual, rare, primary } = nextOf(order);
  const { paid_at, net_total, status_group } = order;
  const isRefundable = paid_at !== null && net_total > 0 && status_group !== 'closed';
  const buttonOf = (next: NextStatus) => (
    <Button
      key={next.to}
      look={isFinal(next.to) ? 'danger' : next.move === primary ? 'primary' : 'plain'}
      onClick={() => onChoose(next)}
    >
      {words[next.move].verb}
    </Button>
  );
  return (
    <>
      {usual.filter(({ to }) => !isFinal(to)).map(buttonOf)}
      {isRefundable && <Button onClick={() => onChoose('part-refund')}>{t.refund}</Button>}
      {usual.filter(({ to }) => isFinal(to)).map(buttonOf)}
      {rare.length > 0 && (
        <Button look="quiet" aria-expanded={showsRare} onClick={() => setShowsRare(!showsRare)}>
          {t.more}
        </Button>
      )}
      {showsRare && rare.map(buttonOf)}
    </>
  );
}

const isFinal = (status: OrderStatus) => status === 'cancelled' || status === 'refunded';

/** Invalidates data about orders, and confirms the action. */
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

function Moving({
  order,
  next: { to, move },
  onDone,
}: ActionProps & { readonly next: NextStatus }) {
  const t = useTexts(texts).action;
  const { verb, follows } = useTexts(moveTexts)[move];
  const names = useTexts(orderStatuses);
  const done = useDone(onDone);
  const refundsMade = useRefundsMade();
  const [reason, setReason] = useState('');
  const [tracking, setTracking] = useState(order.shipping?.tracking_number ?? '');
  const isShipped = to === 'shipping';
  const told = useTold(order.user);
  const payer = usePayer(order);
  const isPaidBack = move === 'refund' || (move === 'cancelPaid' && order.net_total > 0);
  const change = useMutation({
    mutationFn: async () => {
      await api.orders.update(order, {
        status: to,
        ...(reason && { reason }),
        ...(isShipped && { tracking_number: tracking }),
      });
      return isPaidBack ? lastRefunds(order) : [];
    },
    onSuccess: (refunds) => done(refundsMade(order, refunds) || t.done(order.number, names[to])),
  });
  return (
    <ActionForm
      className="action"
      action={change}
      verb={verb}
      look={isFinal(to) ? 'danger' : 'primary'}
      onSubmit={() => change.mutate()}
      onCancel={onDone}
    >
      <p>
        {follows} {isShipped && told}
        {isPaidBack && payer}
      </p>
      {isShipped && (
        <Field name="tracking_number" label={t.tracking} error={change.error} required>
          <TextInput
            required
            value={tracking}
            onChange={({ target }) => setTracking(target.value)}
          />
        </Field>
      )}
      <Reason value={reason} onChange={setReason} error={change.error} />
    </ActionForm>
  );
}

function Refunding({ order, onDone }: ActionProps) {
  const t = useTexts(texts).action;
  const store = useStore();
  const money = useMoney();
  const done = useDone(onDone);
  const refundsMade = useRefundsMade();
  const payer = usePayer(order);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const amount = amountOf(text, store) || undefined;
  const left = money(order.net_total, order.currency);
  const isTooMuch = amount !== undefined && amount > order.net_total;
  const unread = text === '' || isTooMuch ? t.amountHint(left) : t.amountWrong;
  const hint =
    amount === undefined || isTooMuch ? unread : t.amountRead(money(amount, order.currency), left);
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
      disabled={amount === undefined || isTooMuch}
      onSubmit={() => amount !== undefined && refund.mutate(amount)}
      onCancel={onDone}
    >
      <p>
        {t.refundFollows} {payer}
      </p>
      <Field name="amount" label={t.amount} hint={hint} error={refund.error} required>
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
