import { describe, expect, test } from 'vitest';
import { percentages, useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();

describe('The choice of earners', () => {
  test('makes a row for each tier up the tree, with the reason for its amount', async () => {
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
      payout_line_id: null,
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

  test('uses the rates of a group, and of its product before the general ones', async () => {
    const { at } = stage;
    const { fixture } = at;
    const product = await at.newCourse();
    const { body } = await fixture.api.post('/user-groups', {
      name: 'Gold',
      commissions: percentages(30, 12.5),
      per_product: [{ product_id: product.id, commissions: percentages(40) }],
    });
    const gold = body.data.id;
    const upline = await fixture.newAffiliate({ group_id: gold });
    const seller = await fixture.newAffiliate({ affiliate_id: upline.id, group_id: gold });
    const below = await fixture.newAffiliate({ affiliate_id: seller.id });
    const rates = async (affiliate_id: number) =>
      (await at.ledger(await at.sell(product, { affiliate_id }))).map(
        ({ tier, rate, rate_source }) => [tier, rate, rate_source],
      );
    expect(await rates(seller.id)).toEqual([
      [1, 40, 'group-product'],
      [2, 12.5, 'group'],
    ]);
    // Everybody earns by their own group; without one, by the product.
    expect(await rates(below.id)).toEqual([
      [1, 20, 'product'],
      [2, 12.5, 'group'],
      [3, 5, 'product'],
    ]);
  });

  test.each([
    ['no affiliate', { roles: ['member'] }],
    ['blocked', { status: 'blocked' }],
  ])('skips an upline who is %s, and continues with the next tier', async (_, fields) => {
    const { at } = stage;
    const { fixture } = at;
    const top = await fixture.newAffiliate();
    const between = await fixture.newAffiliate({ affiliate_id: top.id, ...fields });
    const seller = await fixture.newAffiliate({ affiliate_id: between.id });
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
    const { fixture } = at;
    const { body } = await fixture.api.post('/user-groups', {
      name: 'Starters',
      min_sales_for_upline: 1,
    });
    const upline = await fixture.newAffiliate({ group_id: body.data.id });
    const seller = await fixture.newAffiliate({ affiliate_id: upline.id });
    const product = await at.newCourse();
    const tiers = async () =>
      (await at.ledger(await at.sell(product, { affiliate_id: seller.id }))).map((r) => r.tier);
    expect(await tiers()).toEqual([1]);
    await at.change(await at.sell(product, { affiliate_id: upline.id }), { status: 'completed' });
    expect(await tiers()).toEqual([1, 2]);
  });

  test('an upline who shares a bank account or phone with the buyer is flagged', async () => {
    const { at } = stage;
    const { fixture } = at;
    const upline = await fixture.newAffiliate({ bank_info: 'BCA 778-899-00', phone: '+62 811 77' });
    const seller = await fixture.newAffiliate({ affiliate_id: upline.id });
    const buyer = await fixture.newUser({ bank_info: 'bca 77889900', phone: '6281177' });
    const named = { affiliate_id: seller.id, user_id: buyer.id };
    const rows = await at.ledger(await at.sell(await at.newCourse(), named));
    expect(rows.map(({ flags }) => flags)).toEqual([[], ['self-phone', 'same-bank']]);
  });

  test('many orders of one buyer in a day are flagged', async () => {
    const { at } = stage;
    const product = await at.newCourse();
    const buyer = await at.fixture.newUser();
    const flags: string[][] = [];
    for (let i = 0; i < 6; i++) {
      const [row] = await at.ledger(await at.sell(product, { user_id: buyer.id }));
      flags.push(row?.flags ?? []);
    }
    expect(flags).toEqual([[], [], [], [], [], ['velocity']]);
  });

  test('a product that asks for a purchase pays only those who bought it', async () => {
    const { at } = stage;
    const { fixture } = at;
    const product = await at.newCourse({ require_purchase: true });
    const refused = await at.sell(product);
    expect(refused).toMatchObject({
      affiliate_id: null,
      attribution: { source: 'none', rejected_reason: 'not-eligible' },
    });
    expect(await at.ledger(refused)).toEqual([]);
    const own = await fixture.newOrder({ product_id: product.id, user_id: at.seller.id });
    await at.change(own, { status: 'completed' });
    expect(await at.sell(product)).toMatchObject({ affiliate_id: at.seller.id });
  });
});

describe('The amount of a commission', () => {
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
    const { body } = await at.fixture.api.post('/coupons', {
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
    await at.fixture.api.patch(`/products/${product.id}`, {
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
