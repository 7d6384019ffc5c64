import { beforeAll, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import type { ApiClient } from '../../harness/client.ts';
import { percentages } from '../../harness/affiliates.ts';
import { usePost } from '../messages/post.ts';

const opened = usePost(['resend']);
const bought = 'Kelas Roti';
const today = 'Sourdough Masterclass';

let api: ApiClient;
let buyer: { id: number };
let order: Order;

/** An order whose product is renamed, and optionally deleted, afterwards. */
async function orderOf(isDeleted: boolean): Promise<Order> {
  const { fixture } = opened.post;
  const product = await fixture.newProduct({ title: bought, price: 350_000 });
  const placed = await fixture.newOrder({ product_id: product.id, user_id: buyer.id });
  expect(placed.product.title).toBe(bought);
  await api.patch(`/products/${product.id}`, { title: today });
  if (isDeleted) expect((await api.delete(`/products/${product.id}?force=true`)).status).toBe(200);
  return placed;
}

beforeAll(async () => {
  const { post } = opened;
  api = post.fixture.api;
  buyer = await post.newBuyer();
  order = await orderOf(false);
});

test('An order keeps the title of its product as it was bought, in records, lists and files', async () => {
  const session = await opened.post.store.session(buyer.id);
  const text = async (path: string) => {
    const { body } = await api.get(path);
    return typeof body === 'string' ? body : JSON.stringify(body);
  };
  expect((await api.get(`/orders/${order.id}`)).body.data.product.title).toBe(bought);
  expect((await api.get('/orders?search=dewi')).body.data[0].product.title).toBe(bought);
  expect((await session.get(`/me/orders/${order.id}`)).body.data.product.title).toBe(bought);
  expect((await session.get('/me/orders')).body.data[0].product.title).toBe(bought);
  for (const format of ['csv', 'ndjson']) {
    const file = await text(`/orders.${format}`);
    expect(file).toContain(bought);
    expect(file).not.toContain(today);
  }
  expect(await text(`/users/${buyer.id}/export`)).toContain(bought);
});

test('An order keeps the title of its product when it is changed, and its events contain that title', async () => {
  const hook = await api.post('/webhooks', {
    name: 'Titles',
    url: 'https://titles.example/hook',
    events: ['order.*'],
  });
  const changed = await api.patch(`/orders/${order.id}`, { quantity: 2 });
  expect(changed.body.data.product.title).toBe(bought);
  const { rows } = await opened.post.store.database.query<{ title: string }>(
    "select data #>> '{product,title}' as title from outbox where webhook_id = $1",
    [hook.body.data.id],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { title } of rows) expect(title).toBe(bought);
});

test('An order of a deleted product keeps its title', async () => {
  const { id } = await orderOf(true);
  expect((await api.get(`/orders/${id}`)).body.data.product.title).toBe(bought);
});

test('A confirmation shows the title that was bought, and so do the messages about it', async () => {
  const placed = await orderOf(false);
  const told = await opened.post.told(async () => {
    const reply = await api.post('/confirmations', { order_id: placed.id, total: 350_000 });
    const read = await api.get(`/confirmations/${reply.body.data.id}`);
    expect(read.body.data.order.product.title).toBe(bought);
    await api.patch(`/orders/${placed.id}`, { status: 'completed' });
  });
  expect(told.map(({ kind }) => kind)).toContain('order-completed');
  const texts = told.map(({ text }) => text).join('\n');
  expect(texts).toContain(bought);
  expect(texts).not.toContain(today);
});

test("An affiliate's message about a commission names the title that was bought", async () => {
  const { post } = opened;
  const affiliate = await post.newBuyer({ roles: ['affiliate'] });
  const product = await post.fixture.newProduct({
    title: bought,
    affiliate: { enabled: true, tiers: percentages(10), hold_days: 0 },
  });
  const sale = await post.fixture.newOrder({ product_id: product.id, affiliate_id: affiliate.id });
  await api.patch(`/products/${product.id}`, { title: today });
  const told = await post.told(() => api.patch(`/orders/${sale.id}`, { status: 'completed' }));
  const earned = told.find(({ kind }) => kind === 'commission-earned');
  expect(earned?.text).toContain(bought);
});

test('An order whose title is not filled in yet shows the title of today, and a later change does not fill it in', async () => {
  const { id } = await orderOf(false);
  const { database } = opened.post.store;
  await database.query('update orders set product_title = null where id = $1', [id]);
  expect((await api.get(`/orders/${id}`)).body.data.product.title).toBe(today);
  await api.patch(`/orders/${id}`, { quantity: 3 });
  const { rows } = await database.query('select product_title from orders where id = $1', [id]);
  expect(rows).toEqual([{ product_title: null }]);
});
