import type * as z from 'zod';
import type { DomainEvent } from '../../kernel/events/define.ts';
import type { TemplateKind } from '../../schema/lists.ts';
import type { Order } from '../order/schemas.ts';
import type { catalogue } from '../webhook/catalogue.ts';

export interface Notice {
  readonly kind: TemplateKind;
  /** A user's id, or the role of a person. */
  readonly to: number | 'buyer' | 'seller';
  readonly order_id: number | null;
  /** The id of its record, besides the order or user. */
  readonly record_id: number | null;
}

type NoticeRules = {
  readonly [N in keyof typeof catalogue]?: (
    data: z.output<(typeof catalogue)[N]['payload']>,
  ) => readonly Notice[];
};

const about = (
  kind: TemplateKind,
  to: Notice['to'],
  { order_id = null, record_id = null }: Partial<Pick<Notice, 'order_id' | 'record_id'>> = {},
): Notice => ({ kind, to, order_id, record_id });

const ofOrder = (kind: TemplateKind, { id }: Order, to: Notice['to'] = 'buyer') =>
  about(kind, to, { order_id: id });

const isOutstanding = ({ version, paid_at, grand_total, status_group }: Order) =>
  version === 1 &&
  paid_at === null &&
  grand_total > 0 &&
  (status_group === 'unpaid' || status_group === 'processing');

/** Notifies the buyer of an order's progress. A payment matters more than any other change. */
function progressOf(order: Order): Notice[] {
  const isPaidNow = order.paid_at === order.updated_at && order.grand_total > 0;
  if (isPaidNow) return [ofOrder('payment-received', order)];
  return isOutstanding(order) ? [] : [ofOrder('order-in-progress', order)];
}

const told: NoticeRules = {
  'user.created': ({ id }) => [about('welcome', id)],
  'user.updated': ({ id, bank_changed_at, updated_at }) =>
    bank_changed_at === updated_at ? [about('bank-account-changed', id)] : [],
  'order.created': (order) => [
    ...(isOutstanding(order) ? [ofOrder('order-placed', order)] : []),
    ofOrder('new-order', order, 'seller'),
  ],
  'order.in-progress': progressOf,
  'order.shipping': (order) => [ofOrder('order-shipped', order)],
  'order.completed': (order) => [ofOrder('order-completed', order)],
  'order.cancelled': (order) => [ofOrder('order-cancelled', order)],
  // A new refund counts as paid if the bank has returned the money already: nothing is sent.
  'order.refund-created': ({ id, order_id, state }) =>
    state === 'paid_by_hand' ? [] : [about('order-refunded', 'buyer', { order_id, record_id: id })],
  'confirmation.created': ({ id, order_id }) => [
    about('new-confirmation', 'seller', { order_id, record_id: id }),
  ],
  'confirmation.rejected': ({ id, order_id }) => [
    about('confirmation-rejected', 'buyer', { order_id, record_id: id }),
  ],
  'subscription.ending': ({ id, order_id }) => [
    about('subscription-ending', 'buyer', { order_id, record_id: id }),
  ],
  'subscription.overdue': ({ id, order_id }) => [
    about('payment-overdue', 'buyer', { order_id, record_id: id }),
  ],
  'subscription.cancelled': ({ id, order_id }) => [
    about('subscription-cancelled', 'buyer', { order_id, record_id: id }),
  ],
  // A refunded payment has a message of its own.
  'subscription.expired': ({ id, order_id, status }) =>
    status === 'expired' ? [about('subscription-ended', 'buyer', { order_id, record_id: id })] : [],
  // The message of the sale includes its adjustments.
  'commission.added': ({ id, kind, affiliate_id, order_id }) =>
    kind === 'refund-adjustment'
      ? []
      : [about('commission-earned', affiliate_id, { order_id, record_id: id })],
  'payout.paid': ({ id, affiliate_id }) => [
    about('commission-paid', affiliate_id, { record_id: id }),
  ],
  'payment.unexpected': ({ id, order_id }) => [
    about('unexpected-payment', 'seller', { order_id, record_id: id }),
  ],
  'webhook.paused': ({ id, paused_reason }) =>
    paused_reason === 'manual' ? [] : [about('webhook-paused', 'seller', { record_id: id })],
};

/** Notices of a refund replace those of a cancellation. */
export function noticesOf(events: readonly DomainEvent[]): Notice[] {
  const notices = events.flatMap(
    ({ name, data }) => told[name as keyof NoticeRules]?.(data as never) ?? [],
  );
  const isRefunded = ({ order_id }: Notice) =>
    notices.some((other) => other.kind === 'order-refunded' && other.order_id === order_id);
  return notices.filter((notice) => notice.kind !== 'order-cancelled' || !isRefunded(notice));
}
