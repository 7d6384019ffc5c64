import { describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useClubs } from './stage.ts';

const { fixture, at, user, newClub, buy, tryToBuy, move, subscriptions } = useClubs();

describe('a renewal', () => {
  test('is accepted up to the last moment the product allows, and not after', async () => {
    const club = await newClub({ max_renewal: 10 });
    const first = await buy(club, { status: 'completed' });
    expect(await subscriptions()).toMatchObject([{ renewable_until: '2026-03-10T10:00:00.000Z' }]);
    at('2026-03-10T10:00:01Z');
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      status: 409,
      body: {
        code: 'subscription_not_renewable',
        data: { renewable_until: '2026-03-10T10:00:00.000Z' },
      },
    });
    at('2026-03-10T10:00:00Z');
    const renewal = await buy(club, { order_parent_id: first.id });
    // Ordered in time and paid later: the time of the order counts.
    at('2026-03-12T10:00:00Z');
    await move(renewal, 'completed');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-04-12T10:00:00.000Z' },
    ]);
    // Without a parent it is another subscription, at any time.
    await buy(club, { status: 'completed' });
    expect(await subscriptions()).toHaveLength(2);
  });

  test('is reopened only as long as it could be placed', async () => {
    const club = await newClub({ max_renewal: 10 });
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    const reopen = (id: number) => fixture().api.patch(`/orders/${id}`, { status: 'on-hold' });
    await move(renewal, 'cancelled');
    at('2026-03-10T10:00:00Z');
    await move(renewal, 'on-hold');
    await move(renewal, 'cancelled');
    at('2026-03-10T10:00:01Z');
    expect(await reopen(renewal.id)).toMatchObject({
      status: 409,
      body: {
        code: 'subscription_not_renewable',
        data: { renewable_until: '2026-03-10T10:00:00.000Z' },
      },
    });
  });

  test('is not reopened while nothing of its subscription is paid, but the first order is', async () => {
    const club = await newClub({ max_renewal: 10 });
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    await move(renewal, 'cancelled');
    await move(first, 'in-progress');
    await move(first, 'cancelled');
    expect(await subscriptions()).toMatchObject([{ status: 'inactive' }]);
    at('2026-06-10T10:00:00Z');
    expect(await fixture().api.patch(`/orders/${renewal.id}`, { status: 'on-hold' })).toMatchObject(
      {
        status: 409,
        body: { code: 'subscription_not_renewable', data: { renewable_until: null } },
      },
    );
    await move(first, 'on-hold');
    await move(first, 'completed');
    await move(renewal, 'on-hold');
    await move(renewal, 'completed');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-08-10T10:00:00.000Z' },
    ]);
    await expectIntegrity(fixture());
  });

  test('waits for no limit between purchases of the product', async () => {
    const club = await newClub({}, { limit_buy_time: 525_600 });
    const first = await buy(club, { status: 'completed' });
    expect((await tryToBuy(club)).body.code).toBe('purchase_too_soon');
    const renewal = await buy(club, { order_parent_id: first.id });
    await move(renewal, 'cancelled');
    await move(renewal, 'on-hold');
    await move(renewal, 'completed');
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-03-31T10:00:00.000Z' }]);
  });

  test('requires a completed subscription of the same product and user', async () => {
    const club = await newClub();
    const other = await newClub();
    const first = await buy(club, { status: 'completed' });
    const stranger = await fixture().newUser();
    expect(await tryToBuy(club, { order_parent_id: 999_999 })).toMatchObject({
      status: 404,
      body: { data: { params: { order_parent_id: 'unknown id' } } },
    });
    for (const wrong of [
      tryToBuy(other, { order_parent_id: first.id }),
      tryToBuy(club, { order_parent_id: first.id, user_id: stranger.id }),
    ]) {
      expect(await wrong).toMatchObject({
        status: 400,
        body: { data: { params: { order_parent_id: expect.any(String) } } },
      });
    }
    const unpaid = await buy(club);
    expect(await tryToBuy(club, { order_parent_id: unpaid.id })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable', data: { renewable_until: null } },
    });
  });

  test('stays possible after the first order is deleted, as long as a later order counts', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect((await fixture().api.delete(`/orders/${first.id}`)).status).toBe(200);
    expect(await subscriptions()).toMatchObject([
      { order_parent_id: first.id, end_date: '2026-02-28T10:00:00.000Z', renewable: true },
    ]);
    const third = await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(third.order_parent_id).toBe(first.id);
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-03-31T10:00:00.000Z' }]);
    for (const { id } of [second, third]) await fixture().api.delete(`/orders/${id}`);
    expect(await subscriptions()).toMatchObject([{ status: 'inactive', renewable: false }]);
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable' },
    });
    await expectIntegrity(fixture());
  });

  test('may use the coupons for renewals, but a first order may not', async () => {
    const club = await newClub();
    const coupon = {
      code: 'STAY',
      discount: { value: 10, type: 'percentage' },
      rule: { renewal_coupon: true },
    };
    expect((await fixture().api.post('/coupons', coupon)).status).toBe(201);
    expect(await tryToBuy(club, { coupon_code: 'STAY' })).toMatchObject({
      status: 409,
      body: { code: 'coupon_renewal_only' },
    });
    const first = await buy(club, { status: 'completed' });
    expect(await buy(club, { order_parent_id: first.id, coupon_code: 'STAY' })).toMatchObject({
      discount_total: 5000,
    });
  });
});

describe('A renewal of several licences', () => {
  const licensed = () => newClub({}, { license: { active: true, expires_days: 30 } });
  const wrongQuantity = {
    status: 400,
    body: { data: { params: { quantity: expect.any(String) } } },
  };

  test('has the quantity and price of the first order, given or not', async () => {
    const club = await licensed();
    const first = await buy(club, { quantity: 3, status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    expect(renewal).toMatchObject({ quantity: 3, grand_total: 150_000 + renewal.unique_code });
    expect((await buy(club, { order_parent_id: renewal.id, quantity: 3 })).quantity).toBe(3);
    for (const quantity of [1, 4]) {
      const other = await tryToBuy(club, { order_parent_id: first.id, quantity });
      expect(other).toMatchObject(wrongQuantity);
    }
    const lowered = await fixture().api.patch(`/orders/${renewal.id}`, { quantity: 1 });
    expect(lowered).toMatchObject(wrongQuantity);
    expect(await fixture().order(renewal.id)).toMatchObject({ quantity: 3, version: 1 });
  });

  test('stays possible if the product is now sold in smaller quantities', async () => {
    const club = await licensed();
    const first = await buy(club, { quantity: 3, status: 'completed' });
    await fixture().api.patch(`/products/${club}`, { max_quantity: 2 });
    expect((await buy(club, { order_parent_id: first.id })).quantity).toBe(3);
    expect(await tryToBuy(club, { quantity: 3 })).toMatchObject(wrongQuantity);
  });

  test('costs the same at checkout', async () => {
    const club = await licensed();
    const { id } = await buy(club, { quantity: 3, status: 'completed' });
    const cart = { product_id: club, user_id: user(), order_parent_id: id };
    const priced = await fixture().api.post('/checkout/calculate', cart);
    expect(priced.body.data).toMatchObject({ quantity: 3, grand_total: 150_000 });
    const one = await fixture().api.post('/checkout/calculate', { ...cart, quantity: 1 });
    expect(one).toMatchObject(wrongQuantity);
    const query = `product_id=${club}&user_id=${user()}&order_parent_id=${id}`;
    const quote = await fixture().api.get(`/checkout/quote?${query}`);
    expect(quote.body.data).toMatchObject({ quantity: 3, grand_total: 150_000 });
    expect(await fixture().api.get(`/checkout/quote?${query}&quantity=2`)).toMatchObject(
      wrongQuantity,
    );
    const { quote_token } = quote.body.data;
    expect(await buy(club, { quote_token })).toMatchObject({ order_parent_id: id, quantity: 3 });
  });

  test('issues its quantity if the first order issued none', async () => {
    const club = await newClub({}, { license: { active: true } });
    const { id } = await buy(club, { quantity: 3, status: 'completed' });
    await fixture().store.database.query('delete from licenses where order_id = $1', [id]);
    await buy(club, { order_parent_id: id, status: 'completed' });
    const { body } = await fixture().api.get(`/licenses?order_id=${id}`);
    expect(body.data).toHaveLength(3);
  });
});

describe('A renewal of what was agreed', () => {
  const option = (id: string, fields: object = {}) => ({
    ...{ id, key: id, label: id, extra_price: 5000, extra_weight: 0, sku: '', stock: null },
    ...{ active: true, ...fields },
  });
  const group = (key: string, options: object[], required = true) => ({
    ...{ id: key, key, label: key, required, options },
  });
  const size = (...options: object[]) => group('size', options);
  const big = { variants: [size(option('big'), option('small'))] };

  const changeable = async (fields: object = {}) => {
    const club = await newClub({}, { payment_type: 'one-time', ...big, ...fields });
    const { id } = await buy(club, { variants: ['big'], status: 'completed' });
    const change = async (changes: object) => {
      const reply = await fixture().api.patch(`/products/${club}`, changes);
      expect(reply.status).toBe(200);
    };
    return { club, id, change };
  };

  test.each<[string, object, number]>([
    ['an option that is off', { variants: [size(option('big', { active: false }))] }, 55_000],
    ['another surcharge', { variants: [size(option('big', { extra_price: 7000 }))] }, 57_000],
    ['a deleted option', { variants: [size(option('small'))] }, 55_000],
    ['no variants any more', { variants: [] }, 55_000],
    [
      'a group that is required now',
      { variants: [...big.variants, group('colour', [option('red')])] },
      55_000,
    ],
    ['a draft', { status: 'draft' }, 55_000],
    ['a sale that is over', { disable_sale_time: '2026-01-31T10:00:00Z' }, 55_000],
    ['a closed checkout', { enable_sale: false, access_code: 'secret' }, 55_000],
    ['a product that no longer begins subscriptions', { subscription: { active: false } }, 55_000],
  ])('goes on with %s, at the same price everywhere', async (_, changes, total) => {
    const { club, id, change } = await changeable();
    await change(changes);
    expect(await subscriptions()).toMatchObject([{ renewable: true, renew_price: total }]);
    const cart = { product_id: club, user_id: user(), order_parent_id: id };
    for (const variants of [undefined, ['big']]) {
      const { body } = await fixture().api.post('/checkout/calculate', { ...cart, variants });
      expect(body.data).toMatchObject({ valid: true, grand_total: total });
      const renewal = await buy(club, { order_parent_id: id, variants });
      expect(renewal).toMatchObject({
        grand_total: total + renewal.unique_code,
        variants: [{ group: 'size', option_id: 'big', label: 'big' }],
      });
    }
    const other = await tryToBuy(club, { order_parent_id: id, variants: ['small'] });
    expect(other).toMatchObject({
      status: 400,
      body: { data: { params: { variants: expect.any(String) } } },
    });
  });

  test('has the surcharge of an option that was deleted during the trial', async () => {
    const tryout = { active: true, first_only: false, duration: 7, period: 'daily' };
    const club = await newClub({ tryout }, { payment_type: 'recurring', ...big });
    const trial = await buy(club, { variants: ['big'], status: 'completed' });
    expect(trial).toMatchObject({ grand_total: 0, variants: [{ extra_price: 0 }] });
    await fixture().api.patch(`/products/${club}`, { variants: [] });
    expect(await subscriptions()).toMatchObject([{ renew_price: 55_000 }]);
    const renewal = await buy(club, { order_parent_id: trial.id });
    expect(renewal).toMatchObject({
      grand_total: 55_000 + renewal.unique_code,
      variants: [{ option_id: 'big', extra_price: 5000 }],
    });
  });

  test('goes on for a buyer who left the group that the product is sold to', async () => {
    const { club, id, change } = await changeable();
    const guests = (await fixture().api.post('/user-groups', { name: 'Guests' })).body.data.id;
    await change({ group: { buy_list: [guests] } });
    expect((await tryToBuy(club, { variants: ['big'] })).body.code).toBe('product_closed');
    expect((await buy(club, { order_parent_id: id })).order_parent_id).toBe(id);
  });

  test('is refused if its option is sold out', async () => {
    const variants = [size(option('big', { stock: 1 }))];
    const { club, id, change } = await changeable({ variants });
    await change({ variants: [size(option('big', { stock: 0, active: false }))] });
    expect((await tryToBuy(club, { order_parent_id: id })).body.code).toBe('out_of_stock');
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
