import { describe, expect, test } from 'vitest';
import { day, nothing, percentages, useAffiliateShop } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateShop();

test('a sale by coupon, held, refunded in part, paid out and refunded in full', async () => {
  const { at } = stage;
  const { shop } = at;
  const a = await shop.newAffiliate();
  const b = await shop.newAffiliate({ affiliate_id: a.id });
  const c = await shop.newAffiliate({ affiliate_id: b.id });
  const coupon = { code: 'MIDDLE10', user_id: b.id, discount: { value: 10, type: 'percentage' } };
  expect((await shop.api.post('/coupons', coupon)).status).toBe(201);
  const product = await at.newCourse();

  // The coupon's owner sells, though the order names another affiliate.
  const named = { product_id: product.id, affiliate_id: c.id };
  const order = await shop.newOrder({ ...named, coupon_code: 'MIDDLE10' });
  expect(order).toMatchObject({
    grand_total: 90_000,
    affiliate_id: b.id,
    attribution: { source: 'coupon' },
    affiliate: { id: b.id },
  });
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'pending'],
    [2, 9000, 'pending'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, pending: 18_000 });
  expect(await at.balances(c)).toEqual(nothing);

  await at.change(order, { status: 'completed' });
  expect(await at.balances(b)).toEqual({ ...nothing, held: 18_000 });
  expect(await at.payOut(b)).toMatchObject({ status: 409, body: { code: 'nothing_payable' } });

  await at.refund(order, 30_000);
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'held'],
    [2, 9000, 'held'],
    [1, -6000, 'held'],
    [2, -3000, 'held'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, held: 12_000 });

  shop.store.clock.advance(7 * day + 1);
  expect(await at.balances(b)).toEqual({ ...nothing, payable: 12_000 });
  expect(await at.payOut(b)).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { amount: 12_000, commissions: 2, status: 'paid', affiliate: { id: b.id } } },
  });
  expect(await at.balances(b)).toEqual({ ...nothing, paid: 12_000 });

  await at.refund(order);
  expect((await shop.order(order.id)).status).toBe('refunded');
  // What was paid is taken back by a row of its own; what was not is cancelled.
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'paid'],
    [2, 9000, 'cancelled'],
    [1, -6000, 'paid'],
    [2, -3000, 'cancelled'],
    [1, -12_000, 'payable'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, payable: -12_000, paid: 12_000 });
  expect(await at.balances(a)).toEqual(nothing);
  expect((await at.payOut(b)).status).toBe(409);

  // The next sale is paid less by it.
  const next = await shop.newOrder({ product_id: product.id, affiliate_id: b.id });
  await at.change(next, { status: 'completed' });
  shop.store.clock.advance(7 * day + 1);
  expect((await at.payOut(b)).body.data).toMatchObject({ amount: 8000, commissions: 2 });
  expect(await at.balances(b)).toEqual({ ...nothing, paid: 20_000 });
  await expectIntegrity(shop);
});

describe('Who earns', () => {
  test('a row for each tier up the tree, with why its figure is what it is', async () => {
    const { at } = stage;
    const product = await at.newCourse();
    const order = await at.sell(product);
    const rows = await at.ledger(order);
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      order_id: order.id,
      product_id: product.id,
      affiliate_id: at.seller.id,
      buyer_id: order.user_id,
      tier: 1,
      kind: 'sale',
      commission: 20_000,
      currency: 'USD',
      base_amount: 100_000,
      rate_type: 'percentage',
      rate: 20,
      rate_source: 'product',
      status: 'pending',
      paid_status: false,
      state: 'pending',
      hold_until: null,
      paid_at: null,
      payout_id: null,
      flags: [],
      parent_id: null,
      note: null,
      created_at: order.created_at,
      updated_at: order.created_at,
      version: 1,
    });
    expect(
      rows.map(({ affiliate_id, tier, commission }) => [affiliate_id, tier, commission]),
    ).toEqual([
      [at.seller.id, 1, 20_000],
      [at.middle.id, 2, 10_000],
      [at.top.id, 3, 5000],
    ]);
  });

  test('a group has rates of its own, for a product before all others', async () => {
    const { at } = stage;
    const { shop } = at;
    const product = await at.newCourse();
    const { body } = await shop.api.post('/user-groups', {
      name: 'Gold',
      commissions: percentages(30, 12.5),
      per_product: [{ product_id: product.id, commissions: percentages(40) }],
    });
    const gold = body.data.id;
    const upline = await shop.newAffiliate({ group_id: gold });
    const seller = await shop.newAffiliate({ affiliate_id: upline.id, group_id: gold });
    const below = await shop.newAffiliate({ affiliate_id: seller.id });
    const rates = async (affiliate_id: number) =>
      (await at.ledger(await at.sell(product, { affiliate_id }))).map(
        ({ tier, rate, rate_source }) => [tier, rate, rate_source],
      );
    expect(await rates(seller.id)).toEqual([
      [1, 40, 'group-product'],
      [2, 12.5, 'group'],
    ]);
    // Each earns by their own group; without one, by the product.
    expect(await rates(below.id)).toEqual([
      [1, 20, 'product'],
      [2, 12.5, 'group'],
      [3, 5, 'product'],
    ]);
  });

  test.each([
    ['no affiliate', { roles: ['member'] }],
    ['blocked', { status: 'blocked' }],
  ])('an upline who is %s is passed over, and the tiers go on', async (_, fields) => {
    const { at } = stage;
    const { shop } = at;
    const top = await shop.newAffiliate();
    const between = await shop.newAffiliate({ affiliate_id: top.id, ...fields });
    const seller = await shop.newAffiliate({ affiliate_id: between.id });
    const order = await at.sell(await at.newCourse(), { affiliate_id: seller.id });
    const rows = await at.ledger(order);
    expect(rows.map(({ tier, affiliate_id }) => [tier, affiliate_id])).toEqual([
      [1, seller.id],
      [3, top.id],
    ]);
  });

  test('nobody earns as an upline from an order of their own', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse(), { user_id: at.middle.id });
    const rows = await at.ledger(order);
    expect(rows.map(({ affiliate_id }) => affiliate_id)).toEqual([at.seller.id, at.top.id]);
  });

  test('a group can ask for sales before its members earn as uplines', async () => {
    const { at } = stage;
    const { shop } = at;
    const { body } = await shop.api.post('/user-groups', {
      name: 'Starters',
      min_sales_for_upline: 1,
    });
    const upline = await shop.newAffiliate({ group_id: body.data.id });
    const seller = await shop.newAffiliate({ affiliate_id: upline.id });
    const product = await at.newCourse();
    const tiers = async () =>
      (await at.ledger(await at.sell(product, { affiliate_id: seller.id }))).map((r) => r.tier);
    expect(await tiers()).toEqual([1]);
    await at.change(await at.sell(product, { affiliate_id: upline.id }), { status: 'completed' });
    expect(await tiers()).toEqual([1, 2]);
  });

  test('an upline who shares a bank account or phone with the buyer is flagged', async () => {
    const { at } = stage;
    const { shop } = at;
    const upline = await shop.newAffiliate({ bank_info: 'BCA 778-899-00', phone: '+62 811 77' });
    const seller = await shop.newAffiliate({ affiliate_id: upline.id });
    const buyer = await shop.newUser({ bank_info: 'bca 77889900', phone: '6281177' });
    const named = { affiliate_id: seller.id, user_id: buyer.id };
    const rows = await at.ledger(await at.sell(await at.newCourse(), named));
    expect(rows.map(({ flags }) => flags)).toEqual([[], ['self-phone', 'same-bank']]);
  });

  test('many orders of one buyer in a day are flagged', async () => {
    const { at } = stage;
    const product = await at.newCourse();
    const buyer = await at.shop.newUser();
    const flags: string[][] = [];
    for (let i = 0; i < 6; i++) {
      const [row] = await at.ledger(await at.sell(product, { user_id: buyer.id }));
      flags.push(row?.flags ?? []);
    }
    expect(flags).toEqual([[], [], [], [], [], ['velocity']]);
  });

  test('a product that asks for a purchase pays only those who bought it', async () => {
    const { at } = stage;
    const { shop } = at;
    const product = await at.newCourse({ require_purchase: true });
    const refused = await at.sell(product);
    expect(refused).toMatchObject({
      affiliate_id: null,
      attribution: { source: 'none', rejected_reason: 'not-eligible' },
    });
    expect(await at.ledger(refused)).toEqual([]);
    const own = await shop.newOrder({ product_id: product.id, user_id: at.seller.id });
    await at.change(own, { status: 'completed' });
    expect(await at.sell(product)).toMatchObject({ affiliate_id: at.seller.id });
  });
});

describe('How much', () => {
  test('of goods after discounts, without shipping, fees and the tax in the price', async () => {
    const { at } = stage;
    const product = await at.newCourse(
      {},
      {
        type: 'physical',
        price: 111_000,
        tax: { enabled: true, rate: 11, inclusive: true },
        cod: { active: true, fee: 5000 },
        shipping: {
          active: true,
          options: [{ id: 'post', courier: 'Post', cost: 9000, cod: true }],
        },
      },
    );
    const order = await at.sell(product, {
      quantity: 2,
      payment_gateway: 'cod',
      shipping: { option_id: 'post' },
    });
    expect(order.grand_total).toBe(236_000);
    const rows = await at.ledger(order);
    expect(rows.map(({ base_amount, commission }) => [base_amount, commission])).toEqual([
      [200_000, 40_000],
      [200_000, 20_000],
      [200_000, 10_000],
    ]);
  });

  test('a fixed fee is for each item; what exceeds the goods is cut from the highest tier', async () => {
    const { at } = stage;
    const tiers = [40_000, 30_000, 20_000].map((fee, i) => ({ tier: i + 1, fee, type: 'fixed' }));
    const product = await at.newCourse({ tiers });
    const { body } = await at.shop.api.post('/coupons', {
      code: 'SEVENTY',
      discount: { value: 35, type: 'percentage' },
    });
    expect(body.success).toBe(true);
    const order = await at.sell(product, { quantity: 2, coupon_code: 'SEVENTY' });
    expect(await at.amounts(order)).toEqual([
      [1, 80_000, 'pending'],
      [2, 50_000, 'pending'],
      [3, 0, 'pending'],
    ]);
    await at.change(order, { status: 'completed' });
    await at.refund(order, 65_000);
    expect((await at.amounts(order)).slice(3)).toEqual([
      [1, -40_000, 'held'],
      [2, -25_000, 'held'],
    ]);
  });

  test('another quantity or total changes it by a row of its own', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse({ tiers: percentages(20) }));
    await at.change(order, { quantity: 3 });
    await at.change(order, { grand_total: 150_000 });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'pending'],
      [1, 40_000, 'pending'],
      [1, -30_000, 'pending'],
    ]);
    await at.change(order, { note: 'Nothing that matters here.' });
    expect(await at.ledger(order)).toHaveLength(3);
  });

  test('later rates don’t change what an order pays', async () => {
    const { at } = stage;
    const product = await at.newCourse({ tiers: percentages(20) });
    const order = await at.sell(product);
    await at.shop.api.patch(`/products/${product.id}`, {
      affiliate: { tiers: percentages(50) },
      tax: { enabled: true, rate: 10, inclusive: true },
    });
    await at.change(order, { status: 'completed' });
    await at.refund(order, 50_000);
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'held'],
      [1, -10_000, 'held'],
    ]);
  });
});

describe('With the order', () => {
  test('a reopened order makes it wait again, and completing again adds nothing', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse({ tiers: percentages(20) }));
    await at.change(order, { status: 'completed' });
    const [first] = await at.ledger(order);
    at.shop.store.clock.advance(day);
    await at.change(order, { status: 'in-progress' });
    expect(await at.ledger(order)).toMatchObject([{ state: 'pending', hold_until: null }]);
    await at.change(order, { status: 'completed' });
    const [again] = await at.ledger(order);
    expect(again).toMatchObject({ id: first?.id, state: 'held' });
    expect(Date.parse(again?.hold_until ?? '') - Date.parse(first?.hold_until ?? '')).toBe(
      day * 1000,
    );
  });

  test('a cancelled order cancels it, a reopened one brings it back', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse());
    await at.change(order, { status: 'cancelled' });
    expect((await at.ledger(order)).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'cancelled'),
    );
    await at.change(order, { status: 'on-hold' });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'pending'],
      [2, 10_000, 'pending'],
      [3, 5000, 'pending'],
    ]);
  });

  test('a paid one stays when its order is reopened, cancelled and reopened', async () => {
    const { at } = stage;
    const { shop } = at;
    const seller = await shop.newAffiliate();
    const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    expect((await at.payOut(seller)).status).toBe(201);
    await at.change(order, { status: 'in-progress' });
    await at.change(order, { status: 'cancelled' });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'paid'],
      [1, -20_000, 'payable'],
    ]);
    await at.change(order, { status: 'on-hold' });
    expect((await at.amounts(order)).at(-1)).toEqual([1, 20_000, 'pending']);
    await at.change(order, { status: 'completed' });
    expect(await at.balances(seller)).toEqual({ ...nothing, paid: 20_000 });
    await expectIntegrity(shop);
  });

  test('what is to be taken back stays payable while its order is open again', async () => {
    const { at } = stage;
    const seller = await at.shop.newAffiliate();
    const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    await at.payOut(seller);
    await at.refund(order, 50_000);
    await at.change(order, { status: 'in-progress' });
    expect(await at.balances(seller)).toEqual({ ...nothing, payable: -10_000, paid: 20_000 });
  });

  test('an order that comes to count for somebody else pays them instead', async () => {
    const { at } = stage;
    const { shop } = at;
    const other = await shop.newAffiliate();
    const order = await at.sell(await at.newCourse({ hold_days: 0 }));
    await at.change(order, { affiliate_id: other.id, status: 'completed' });
    expect(
      (await at.ledger(order)).map(({ affiliate_id, state }) => [affiliate_id, state]),
    ).toEqual([
      [at.seller.id, 'cancelled'],
      [at.middle.id, 'cancelled'],
      [at.top.id, 'cancelled'],
      [other.id, 'payable'],
    ]);
    expect(await at.balances(other)).toEqual({ ...nothing, payable: 20_000 });
    expect((await at.payOut(other)).status).toBe(201);
    const refused = await shop.api.patch(`/orders/${order.id}`, { affiliate_id: null });
    expect(refused).toMatchObject({ status: 409, body: { code: 'commission_paid' } });
    await expectIntegrity(shop);
  });

  test('an order on which commissions were paid is not erased', async () => {
    const { at } = stage;
    const { shop } = at;
    const seller = await shop.newAffiliate();
    const product = await at.newCourse({ hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    const untouched = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    await at.payOut(seller);
    for (const status of ['in-progress', 'on-hold', 'cancelled'])
      await at.change(order, { status });
    await at.change(untouched, { status: 'cancelled' });
    expect(await shop.api.delete(`/orders/${order.id}?force=true`)).toMatchObject({
      status: 409,
      body: { code: 'order_not_erasable' },
    });
    expect((await shop.api.delete(`/orders/${untouched.id}?force=true`)).status).toBe(200);
    await expectIntegrity(shop);
  });
});

test('what happens is told to webhooks', async () => {
  const { at } = stage;
  const { shop } = at;
  const { body } = await shop.api.post('/webhooks', {
    name: 'Books',
    url: 'https://books.example.com/hook',
    events: ['commission.*', 'payout.*'],
  });
  const seller = await shop.newAffiliate();
  const order = await at.sell(await at.newCourse({ hold_days: 0 }), { affiliate_id: seller.id });
  await at.change(order, { status: 'completed' });
  await at.payOut(seller);
  await at.refund(order, 50_000);
  const other = await at.sell(await at.newCourse(), { affiliate_id: seller.id });
  await at.change(other, { status: 'cancelled' });
  const { rows } = await shop.store.database.query(
    'select event from outbox where webhook_id = $1 order by id',
    [body.data.id],
  );
  expect(rows.map(({ event }) => event)).toEqual([
    'commission.created',
    'commission.added',
    'payout.paid',
    'commission.paid',
    'commission.adjusted',
    'commission.created',
    'commission.cancelled',
  ]);
});
