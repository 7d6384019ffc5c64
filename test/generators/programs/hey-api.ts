import { ordersCreate, ordersGet, ordersList } from './generated';
import type { OrderCreate, OrderStatus, OrderWithHistory, WebhookEvent } from './generated';
import { client } from './generated/client.gen';

/** Places an order, repeats the request, and reads the order back. */
export async function sell(baseUrl: string, apiKey: string, order: OrderCreate) {
  client.setConfig({ baseUrl, auth: apiKey });
  const place = () => ordersCreate({ body: order, headers: { 'Idempotency-Key': 'one-order' } });
  const placed = await place();
  if (!placed.data) throw new Error(placed.error.code);
  const again = await place();
  const read = await ordersGet({ path: { id: placed.data.data.id } });
  const status: OrderStatus = 'on-hold';
  const page = await ordersList({ query: { status, user_id: placed.data.data.user_id } });
  const missing = await ordersGet({ path: { id: 999 } });
  return {
    placed: placed.data.data.id,
    again: again.data?.data.id,
    read: read.data && told(read.data.data),
    listed: page.data?.data.map(({ id }) => id),
    next: page.data?.meta.next_cursor,
    refused: missing.error?.code,
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
