import { describe, expect, test } from 'vitest';
import { percentages, useAffiliateStore } from '../harness/affiliates.ts';

// Documents that were written before a key existed lack it. These tests store such documents past the API.

const stage = useAffiliateStore();

const store = (table: string, id: number, documents: Record<string, unknown>) =>
  stage.at.fixture.store.database.query(
    `update ${table} set ${Object.keys(documents)
      .map((column, i) => `"${column}" = $${i + 2}`)
      .join(', ')} where id = $1`,
    [id, ...Object.values(documents).map((document) => JSON.stringify(document))],
  );

const get = async (path: string) => {
  const reply = await stage.at.fixture.api.get(path);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};

const change = async (path: string, body: object) => {
  const reply = await stage.at.fixture.api.patch(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};

const emptyParts = {
  ...{ tax: {}, shipping: {}, cod: {}, variants: [], subscription: {} },
  ...{ license: {}, affiliate: {}, group: {} },
};

describe('A product stored without any key of its parts', () => {
  test('is read as a new one, listed, sold, changed', async () => {
    const { fixture } = stage.at;
    const { variants: _, ...usual } = await fixture.newProduct();
    const { id } = await fixture.newProduct();
    await store('products', id, emptyParts);
    const product = await get(`/products/${id}`);
    for (const name of [
      'tax',
      'shipping',
      'cod',
      'subscription',
      'license',
      'affiliate',
      'group',
    ]) {
      expect(product[name], name).toEqual(usual[name as keyof typeof usual]);
    }
    const off = await get('/products?affiliate_enabled=false&per_page=100');
    expect(off.map((one: { id: number }) => one.id)).toContain(id);
    const order = await fixture.newOrder({ product_id: id, status: 'completed' });
    expect(order).toMatchObject({ status: 'completed', type: 'regular', tax_total: 0 });
    const changed = await change(`/products/${id}`, { tax: { enabled: true, rate: 5 } });
    expect(changed.tax).toEqual({ enabled: true, rate: 5, inclusive: false });
  });

  test('ships by an option, has variants, tiers and links that lack keys too', async () => {
    const { fixture, seller } = stage.at;
    const { id } = await fixture.newProduct({ type: 'physical' });
    await store('products', id, {
      ...emptyParts,
      shipping: { active: true, options: [{ id: 'post', cost: 700 }] },
      variants: [{ id: 'size', key: 'size', options: [{ id: 'l' }] }],
      affiliate: {
        enabled: true,
        tiers: [{ tier: 1, fee: 10 }],
        links: [{ key: 'a' }],
        tools: [{}],
      },
    });
    await get(`/products/${id}`);
    expect(await get(`/products/${id}/shipping-options`)).toMatchObject([{ cost: 700 }]);
    expect(await get(`/affiliates/${seller.id}/links?product_id=${id}`)).not.toEqual([]);
    const ordered = { product_id: id, variants: ['l'], shipping: { option_id: 'post' } };
    const order = await fixture.newOrder({ ...ordered, affiliate_id: seller.id, quantity: 2 });
    expect(order).toMatchObject({ shipping_total: 700, grand_total: 30_700 });
    expect(await stage.at.amounts(order)).toEqual([[1, 3000, 'pending']]);
  });
});

test('a coupon without any key of discount and rule takes nothing off, and is found', async () => {
  const { fixture } = stage.at;
  const { id: product_id } = await fixture.newProduct();
  const coupon = (await fixture.api.post('/coupons', { code: 'OLDEST' })).body.data;
  await store('coupons', coupon.id, { discount: {}, rule: {} });
  const { discount, rule } = await get('/coupons/OLDEST');
  expect({ discount, rule }).toEqual({ discount: coupon.discount, rule: coupon.rule });
  for (const query of [`product_id=${product_id}`, 'templates=false']) {
    expect(await get(`/coupons?${query}`)).toMatchObject([{ code: 'OLDEST' }]);
  }
  const order = await fixture.newOrder({ product_id, coupon_code: 'OLDEST' });
  expect(order).toMatchObject({ discount_total: 0, coupon_code: 'OLDEST' });
  const changed = await change(`/coupons/${coupon.id}`, { discount: { value: 50 } });
  expect(changed.discount).toMatchObject({ value: 50, type: 'percentage' });
});

test('a group without any key of its terms changes no price and no commission', async () => {
  const { at } = stage;
  const { fixture } = at;
  const group = (await fixture.api.post('/user-groups', { name: 'Oldest' })).body.data;
  const { id: product_id, price } = await at.newCourse({ tiers: percentages(20) });
  await store('user_groups', group.id, { discount: {}, commissions: {}, per_product: {} });
  expect(await get(`/user-groups/${group.id}`)).toEqual(group);
  const seller = await fixture.newAffiliate({ group_id: group.id });
  const buyer = await fixture.newUser({ group_id: group.id });
  const sale = { product_id, user_id: buyer.id, affiliate_id: seller.id };
  const order = await fixture.newOrder(sale);
  expect(order).toMatchObject({ grand_total: price });
  expect(await at.amounts(order)).toEqual([[1, 20_000, 'pending']]);
  await store('user_groups', group.id, { per_product: [{ product_id }] });
  expect(await at.amounts(await fixture.newOrder(sale))).toEqual([[1, 20_000, 'pending']]);
});

test('an order without any key of its documents is read, changed and priced again', async () => {
  const { at } = stage;
  const order = await at.sell(await at.newCourse());
  await store('orders', order.id, {
    ...{ variants: [{}], shipping: {}, attribution: {}, agreed: {} },
  });
  const read = await get(`/orders/${order.id}`);
  expect(read).toMatchObject({
    shipping: { option_id: '', tracking_url: '' },
    attribution: { affiliate_id: null, source: 'none' },
    variants: [{ extra_price: 0 }],
  });
  const changed = await change(`/orders/${order.id}`, { quantity: 2, tracking_number: 'T-1' });
  expect(changed).toMatchObject({ grand_total: 200_000, shipping: { tracking_number: 'T-1' } });
  expect(await get('/orders')).toContainEqual(changed);
  await store('orders', order.id, { agreed: { tax: {}, shipping: {}, coupon: { discount: {} } } });
  expect(await change(`/orders/${order.id}`, { quantity: 3 })).toMatchObject({
    grand_total: 300_000,
  });
  await at.change(order, { status: 'completed' });
});

test('a confirmation without any key of its detail is read and approved', async () => {
  const { fixture } = stage.at;
  const { id: product_id } = await fixture.newProduct();
  const { id: order_id } = await fixture.newOrder({ product_id });
  const { id } = (await fixture.api.post('/confirmations', { order_id, sender: 'Bo' })).body.data;
  await store('confirmations', id, { detail: {} });
  expect((await get(`/confirmations/${id}`)).detail).toMatchObject({ sender: '', total: null });
  expect((await fixture.api.post(`/confirmations/${id}`, { status: 'approved' })).status).toBe(200);
});

test('settings with incomplete accounts and statuses are read, and shown to buyers', async () => {
  const { fixture } = stage.at;
  await fixture.set('manual_accounts', '[{"id": "BCA"}]');
  const administrator = await fixture.newAdministrator();
  const { body } = await administrator.session.get('/me/settings');
  expect(body.data.manual_accounts).toEqual([
    { id: 'BCA', bank: '', owner: '', account_number: '' },
  ]);
  const { id: product_id } = await fixture.newProduct();
  const order = await fixture.newOrder({ product_id, payment_gateway: 'manual:BCA' });
  const { accounts } = await get(`/orders/${order.id}/payment-instructions`);
  expect(accounts).toMatchObject([{ id: 'BCA', bank: '', info: '' }]);
});
