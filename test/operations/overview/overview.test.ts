import { beforeAll, describe, expect, test } from 'vitest';
import type { Overview } from '../../../src/actions/overview/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

async function overview(): Promise<Overview> {
  const reply = await opened.fixture.api.get('/overview');
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body.data;
}

const none = { lead: 0, sales: 0, revenue: 0 };
/** The figures of that many orders of 10,000, one of them unpaid. */
const figures = (lead: number) => ({ lead, sales: lead - 1, revenue: (lead - 1) * 10_000 });

test('the overview of a store in which nothing happened has no figures above 0', async () => {
  const { currency: _, timezone: __, days, orders_by_status, ...rest } = await overview();
  expect(rest).toEqual({
    missing: ['payment', 'sender', 'product'],
    to_do: {
      confirmations: { pending: 0, oldest_at: null },
      risks: { open: 0, oldest_at: null },
      webhooks: { failing: 0, longest_failing_id: null, paused: 0 },
      unexpected_payments: 0,
      refunds_failed: 0,
      refunds_by_hand: 0,
      orders_without_code: 0,
      bank_mutations: 0,
      payouts_due: 0,
      messages_failed: 0,
      reminders_failed: 0,
    },
    today: none,
    yesterday: { ...none, before: none },
    this_month: { ...none, before: none },
    all: none,
    recent_orders: [],
    cancel_reasons: [],
    top_products: [],
    top_affiliates: [],
  });
  expect(days).toHaveLength(30);
  expect(new Set(Object.values(orders_by_status))).toEqual(new Set([0]));
});

describe('The overview', () => {
  let products: number[] = [];
  let seller = 0;

  /** Places orders at a moment, and completes all but the first. */
  async function placed(at: string, count: number, product_id?: number, fields: object = {}) {
    const { fixture } = opened;
    fixture.store.clock.set(at);
    const last = [];
    for (let n = 0; n < count; n++) {
      const status = n === 0 ? 'on-hold' : 'completed';
      last.push(await fixture.newOrder({ product_id: product_id ?? 0, status, ...fields }));
    }
    return last;
  }

  beforeAll(async () => {
    const { fixture } = opened;
    await fixture.set('timezone', 'Asia/Jakarta');
    seller = (await fixture.newAffiliate()).id;
    const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
    const made = [
      await fixture.newProduct({ price: 10_000, affiliate }),
      await fixture.newProduct({ price: 10_000 }),
    ];
    products = made.map(({ id }) => id);
    const [first, second] = products;
    // Jakarta is seven hours ahead, so these are the last and first minutes of its days.
    await placed('2026-03-05T03:00:00Z', 6, first);
    await placed('2026-04-12T16:59:00Z', 5, first, { affiliate_id: seller });
    await placed('2026-05-10T16:59:00Z', 3, second);
    await placed('2026-05-10T17:00:00Z', 4, second);
    await placed('2026-05-11T17:00:00Z', 2, first, { affiliate_id: seller });
    fixture.store.clock.set('2026-05-12T05:00:00Z');
  });

  test('counts days and months of the store’s time zone, and compares them with the periods before', async () => {
    const shown = await overview();
    expect(shown.timezone).toBe('Asia/Jakarta');
    expect(shown.today).toEqual(figures(2));
    expect(shown.yesterday).toEqual({ ...figures(4), before: figures(3) });
    expect(shown.this_month).toEqual({
      lead: 9,
      sales: 6,
      revenue: 60_000,
      before: figures(5),
    });
    expect(shown.all).toEqual({ lead: 20, sales: 15, revenue: 150_000 });
    expect(shown.days.map(({ date }) => date).slice(-2)).toEqual(['2026-05-11', '2026-05-12']);
    expect(shown.days.filter(({ lead }) => lead > 0)).toEqual([
      { date: '2026-05-10', ...figures(3) },
      { date: '2026-05-11', ...figures(4) },
      { date: '2026-05-12', ...figures(2) },
    ]);
    expect(shown.orders_by_status).toMatchObject({ 'on-hold': 5, completed: 15 });
    expect(shown.recent_orders).toHaveLength(10);
    expect(shown.recent_orders[0]?.id).toBe(20);
  });

  test('ranks the products and affiliates of the last 30 days', async () => {
    const shown = await overview();
    expect(shown.top_products).toMatchObject([
      { product_id: products[1], orders: 5, quantity: 5, revenue: 50_000 },
      { product_id: products[0], orders: 1, quantity: 1, revenue: 10_000 },
    ]);
    expect(shown.top_affiliates).toMatchObject([{ id: seller, rank: 1, raw_total: 10_000 }]);
    const { fixture } = opened;
    await fixture.api.post('/orders/20/refunds', { amount: 4000 });
    expect((await overview()).top_products[1]).toMatchObject({ revenue: 6000 });
    await expectIntegrity(fixture);
  });

  test('GET /products/figures counts the sales of products by days of the store', async () => {
    const { api } = opened.fixture;
    const reply = await api.get('/products/figures?date_start=2026-04-12&date_end=2026-05-10');
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    expect(reply.body.data).toMatchObject([
      { product_id: products[0], orders: 4, quantity: 4, revenue: 40_000 },
      { product_id: products[1], orders: 2, quantity: 2, revenue: 20_000 },
    ]);
    const { body } = await api.get('/products/figures?limit=1');
    expect(body.data).toMatchObject([{ product_id: products[0], orders: 10 }]);
  });

  test('says which tasks are open, and since when', async () => {
    const { fixture } = opened;
    const said = [];
    for (const order_id of [1, 7]) {
      fixture.store.clock.advance(3600);
      said.push((await fixture.api.post('/confirmations', { order_id })).body.data);
    }
    const url = 'http://127.0.0.1:1/';
    await fixture.api.post('/webhooks', { url, status: 'paused' });
    const failing = await fixture.api.post('/webhooks', { url, events: ['ping'] });
    await fixture.api.post(`/webhooks/${failing.body.data.id}/test`);
    await fixture.store.settled();
    const { to_do } = await overview();
    expect(to_do).toMatchObject({
      confirmations: { pending: 2, oldest_at: said[0].created_at },
      risks: { open: 0, oldest_at: null },
      webhooks: { failing: 1, longest_failing_id: failing.body.data.id, paused: 1 },
    });
    expect(to_do.payouts_due).toBeGreaterThan(0);
  });

  test('shows a key only the parts that its scopes read', async () => {
    const key = await opened.fixture.store.key('orders:read');
    const { body } = await key.get('/overview');
    expect(new Set(Object.values(body.data.to_do))).toEqual(new Set([null]));
    expect(body.data.top_affiliates).toBeNull();
    expect(body.data.yesterday.lead).toBe(4);
  });
});

describe('The overview of a new store', () => {
  const added = useStoreFixture();

  test('names what the store lacks until it has it, and counts payment on delivery as a way to pay', async () => {
    const { fixture } = added;
    Object.assign(await fixture.store.environment, {
      MAIL_FROM: 'hello@shop.example',
      RESEND_API_KEY: 're_1',
    });
    fixture.store.restart();
    const missing = async () => (await fixture.api.get('/overview')).body.data.missing;
    await fixture.set('currency_exponent', null);
    await fixture.set('currency', null);
    expect(await missing()).toEqual(['currency', 'payment', 'product']);
    await fixture.set('currency', 'IDR');
    await fixture.set('currency_exponent', 0);
    const product = await fixture.newProduct({ status: 'draft', cod: { active: true, fee: 0 } });
    expect(await missing()).toEqual(['payment', 'product']);
    await fixture.api.patch(`/products/${product.id}`, { status: 'publish' });
    expect(await missing()).toEqual([]);
    await fixture.api.patch(`/products/${product.id}`, { cod: { active: false, fee: 0 } });
    expect(await missing()).toEqual(['payment']);
    const account = { id: 'BCA', bank: 'BCA', owner: 'Demo', account_number: '1' };
    await fixture.set('manual_accounts', JSON.stringify([account]));
    expect(await missing()).toEqual([]);
  });
});
