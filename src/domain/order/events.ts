import { type DomainEvent, defineEvents } from '../../kernel/events/define.ts';
import { DeletedRecord } from '../../kernel/schemas/replies.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import { Order } from './schemas.ts';

const reached = (what: string) => ({ summary: `An order ${what}.`, payload: Order });

export const orderEvent = defineEvents('orders:read', {
  'order.created': { summary: 'An order was placed.', payload: Order },
  'order.updated': {
    summary: 'An order was changed, including changes of status.',
    payload: Order,
  },
  'order.status-updated': { summary: "An order's status changed.", payload: Order },
  'order.payment-confirm': reached('waits for the review of its payment'),
  'order.in-progress': reached('is in progress'),
  'order.shipping': reached('is on its way'),
  'order.completed': reached('was completed'),
  'order.refunded': reached('was refunded'),
  'order.cancelled': reached('was cancelled'),
  'order.deleted': { summary: 'An order was deleted.', payload: DeletedRecord },
});

/** @param from the order's status before; null for a new order */
export function orderEvents(order: Order, from: OrderStatus | null): DomainEvent[] {
  const { status } = order;
  const moved = status !== from;
  return [
    orderEvent(from === null ? 'order.created' : 'order.updated', order),
    ...(moved && from !== null ? [orderEvent('order.status-updated', order)] : []),
    ...(moved && status !== 'on-hold' ? [orderEvent(`order.${status}` as const, order)] : []),
  ];
}
