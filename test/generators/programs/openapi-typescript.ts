import createClient from 'openapi-fetch';
import type { components, paths } from './generated/store.ts';

type Schemas = components['schemas'];

/** Places an order, repeats the request, and reads the order back. */
export async function sell(baseUrl: string, apiKey: string, order: Schemas['OrderCreate']) {
  // Selects JSON among the media types of lists.
  const store = createClient<paths, 'application/json'>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const place = () =>
    store.POST('/api/svc/v1/orders', {
      params: { header: { 'Idempotency-Key': 'one-order' } },
      body: order,
    });
  const placed = await place();
  if (placed.error) throw new Error(placed.error.code);
  const again = await place();
  const read = await store.GET('/api/svc/v1/orders/{id}', {
    params: { path: { id: placed.data.data.id } },
  });
  const status: Schemas['OrderStatus'] = 'on-hold';
  const page = await store.GET('/api/svc/v1/orders', {
    params: { query: { status, user_id: placed.data.data.user_id } },
  });
  const missing = await store.GET('/api/svc/v1/orders/{id}', { params: { path: { id: 999 } } });
  return {
    placed: placed.data.data.id,
    again: again.data?.data.id,
    read: read.data && told(read.data.data),
    listed: page.data?.data.map(({ id }) => id),
    next: page.data?.meta.next_cursor,
    refused: missing.error?.code,
  };
}

const told = ({ grand_total, status, history, shipping }: Schemas['OrderWithHistory']) => ({
  total: grand_total,
  statuses: [status, ...history.map(({ to }) => to)],
  address: shipping?.address ?? null,
});

export function heard(event: Schemas['WebhookEvent']): string {
  switch (event.event) {
    case 'order.created':
      return `${event.data.number}: ${event.data.grand_total}`;
    case 'user.deleted':
      return `user ${event.data.id}`;
    default:
      return event.event;
  }
}
