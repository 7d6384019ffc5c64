import { describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { ids, listOrders } from './stage.ts';

const opened = useStoreFixture();

const found = async (search: string) =>
  ids((await listOrders(opened.fixture, { search, per_page: 100 })).data);

describe('A search for the details of an order', () => {
  test('finds a number in the spellings that people write it in', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const order = await fixture.newOrder({ product_id });
    const [prefix = '', digits = ''] = order.number.split('-');
    const short = String(Number(digits));
    const spellings = [
      `${prefix}-${short}`,
      `${prefix}${short}`,
      `${prefix.toLowerCase()}${digits}`,
      `${prefix}–${digits}`,
    ];
    for (const search of spellings) {
      expect(await found(search), search).toContain(order.id);
    }
  });

  test('finds an order by the whole code of its coupon in any case, and by no similar code', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ price: 40_000 });
    await fixture.api.post('/coupons', {
      code: 'ANNIE',
      discount: { value: 10, type: 'percentage' },
    });
    const namesake = await fixture.newUser({ display_name: 'Annie Hall' });
    const own = await fixture.newOrder({ product_id, user_id: namesake.id });
    const discounted = await fixture.newOrder({ product_id, coupon_code: 'ANNIE' });
    expect(await found('annie')).toEqual([discounted.id, own.id]);
    expect(await found('anni')).toEqual([own.id]);
  });

  test("finds the order that paid for a licence by the licence's code, however it is typed", async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ license: { active: true, count: 1 } });
    const order = await fixture.newOrder({ product_id });
    await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    const { rows } = await fixture.store.database.query<{ code: string }>(
      'select code from licenses where order_id = $1',
      [order.id],
    );
    const code = rows[0]?.code ?? '';
    expect(await found(code)).toEqual([order.id]);
    expect(await found(code.toLowerCase().replaceAll('-', ' '))).toEqual([order.id]);
    expect(await found(`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`)).toEqual([]);
  });

  test('finds an order by the exact amount of its transfer, expected or received', async () => {
    const { fixture } = opened;
    await fixture.set('unique_code_enabled', false);
    const { id: product_id } = await fixture.newProduct({ price: 81_350 });
    const waiting = await fixture.newOrder({ product_id });
    const paid = await fixture.newOrder({ product_id });
    await fixture.api.patch(`/orders/${paid.id}`, { status: 'completed' });
    for (const search of ['81350', '813.50', '813,5', '$813.5', 'USD 813.50']) {
      expect(await found(search), search).toEqual([paid.id, waiting.id]);
    }
    for (const search of ['8135', '81.35', '81.350', '8135.0']) {
      expect(await found(search), search).toEqual([]);
    }

    await fixture.set('currency_exponent', 0);
    for (const search of ['81350', '81.350', '81,350', 'Rp 81.350,00', 'Rp81.350,-', '81 350']) {
      expect(await found(search), search).toEqual([paid.id, waiting.id]);
    }
    for (const search of ['813.50', '813,5', '81.350.000']) {
      expect(await found(search), search).toEqual([]);
    }
    await fixture.set('currency_exponent', 2);

    await fixture.set('unique_code_enabled', true);
    const coded = await fixture.newOrder({ product_id });
    expect(coded.unique_code).not.toBe(0);
    expect(await found(String(coded.grand_total))).toEqual([coded.id]);
  });

  test("ignores numbers that can't be an amount", async () => {
    for (const search of ['0081350', '9'.repeat(20), '....', '1.', '-81350']) {
      expect(await found(search), search).toEqual([]);
    }
  });

  test('lets members search only their own names and numbers', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser();
    const { id: product_id } = await fixture.newProduct({ price: 77_700 });
    await fixture.newOrder({ product_id, user_id: user.id });
    const member = await fixture.store.session(user.id);
    const reply = await member.get('/me/orders?search=77700');
    expect(reply.body.data).toEqual([]);
  });
});

test('the count of orders is also given by status, for any filters', async () => {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({ price: 5000 });
  const affiliate = await fixture.newAffiliate();
  const place = (fields: object) => fixture.newOrder({ product_id, ...fields });
  await place({});
  const cancelled = await place({ affiliate_id: affiliate.id });
  await fixture.api.patch(`/orders/${cancelled.id}`, { status: 'cancelled' });
  await place({ status: 'completed' });
  const none = {
    'on-hold': 0,
    'payment-confirm': 0,
    'in-progress': 0,
    shipping: 0,
    completed: 0,
    refunded: 0,
    cancelled: 0,
  };
  const counted = async (query: string) =>
    (await fixture.api.get(`/orders/count?product_id=${product_id}${query}`)).body.data;
  const by_status = { ...none, 'on-hold': 1, completed: 1, cancelled: 1 };
  expect(await counted('')).toEqual({ count: 3, by_status });
  expect(await counted('&date_start=2000-01-01')).toEqual({ count: 3, by_status });
  expect(await counted('&status=completed')).toEqual({
    count: 1,
    by_status: { ...none, completed: 1 },
  });
});
