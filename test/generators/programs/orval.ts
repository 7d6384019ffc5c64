import { ordersCreate, ordersGet, ordersList } from './generated/store';
import { OrderStatus } from './generated/store.schemas';
import type { OrderCreate, OrderWithHistory, WebhookEvent } from './generated/store.schemas';

/** Places an order, repeats the request, and reads the order back. */
export async function sell(_: string, apiKey: string, order: OrderCreate) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const once = { headers: { ...headers, 'Idempotency-Key': 'one-order' } };
  const placed = await ordersCreate(order, once);
  if (placed.status !== 201) throw new Error(placed.data.code);
  const again = await ordersCreate(order, once);
  const read = await ordersGet(placed.data.data.id, { headers });
  const page = await ordersList(
    { status: OrderStatus['on-hold'], user_id: placed.data.data.user_id },
    { headers },
  );
  const missing = await ordersGet(999, { headers });
  return {
    placed: placed.data.data.id,
    again: again.status === 201 ? again.data.data.id : undefined,
    read: read.status === 200 ? told(read.data.data) : undefined,
    listed: page.status === 200 ? page.data.data.map(({ id }) => id) : undefined,
    next: page.status === 200 ? page.data.meta.next_cursor : undefined,
    refused: missing.status === 404 ? missing.data.code : undefined,
  };
}

const told = ({ grand_total, status, history, shipping }: OrderWithHistory) => ({
  total: grand_total,
  statuses: [status, ...history.map(({ to }) => to)],
  address: shipping?.address ?? null,
});

export function heard(event: WebhookEvent): string {
  switch (event.event) {
    case 'order.created':
      return `${event.data.number}: ${event.data.grand_total}`;
    case 'user.deleted':
      return `user ${event.data.id}`;
    default:
      return event.event;
  }
}
