import { beforeEach, describe, expect, test } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { subscriptionEvent } from '../../../src/domain/subscription/events.ts';
import { expireSubscriptions } from '../../../src/jobs/expire-subscriptions.ts';
import {
  countSubscriptions,
  expireSubscription,
  findOver,
  listSubscriptions,
} from '../../../src/queries/subscriptions.ts';
import { toSubscription } from '../../../src/domain/subscription/rules.ts';
import { Subscription } from '../../../src/domain/subscription/schemas.ts';
import { checkIntegrity } from '../../../src/cli/integrity.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
const shop = () => opened.shop;
const at = (instant: string) => shop().store.clock.set(instant);

const wrong = (checked: Awaited<ReturnType<typeof checkIntegrity>>) =>
  checked.filter(({ differences }) => differences > 0);

let user: number;

beforeEach(async () => {
  at('2026-01-31T10:00:00Z');
  user = (await shop().newUser()).id;
});

const monthly = { duration: 1, period: 'monthly', price: 50_000 };

const newClub = async (subscription: object = {}, fields: object = {}) =>
  (
    await shop().newProduct({
      title: 'Club',
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true, regular: monthly, ...subscription },
      ...fields,
    })
  ).id;

const buy = (product_id: number, fields: object = {}) =>
  shop().newOrder({ product_id, user_id: user, ...fields });

const tryToBuy = (product_id: number, fields: object = {}) =>
  shop().api.post('/orders', { product_id, user_id: user, ...fields });

const move = async ({ id }: Order, status: string) => {
  const reply = await shop().api.patch(`/orders/${id}`, { status });
  expect(reply).toMatchObject({ status: 200, trips: 2 });
};

const unit = async () => new UnitOfWork((await shop().store.services()).connection, undefined);

/** The user's subscriptions as `/me` shows them, newest first. */
const subscriptions = async () => {
  const window = { limit: 10, offset: 0, ascending: false, after: undefined, counted: true };
  const { rows } = await (await unit()).query({ rows: listSubscriptions(user, window) });
  const now = shop().store.clock.now().toISOString();
  return rows.map((row) => Subscription.parse(toSubscription(row, now)));
};

const access = async (product_id: number) => {
  const { body } = await shop().api.get(`/access/check?user_id=${user}&product_id=${product_id}`);
  return body as { reason: string; detail: { start: string | null; end_active: string | null } };
};

describe('a monthly subscription', () => {
  test('starts when its order completes and ends a calendar month later, with its access', async () => {
    const club = await newClub();
    const order = await buy(club);
    expect(order).toMatchObject({
      type: 'subscription-regular',
      order_parent_id: null,
      unit_price: 50_000,
      grand_total: 50_000,
    });
    expect(await subscriptions()).toEqual([]);
    expect(await access(club)).toMatchObject({ reason: 'not-bought' });

    await move(order, 'completed');
    expect(await subscriptions()).toEqual([
      {
        id: expect.any(Number),
        order_id: order.id,
        order_parent_id: null,
        product_id: club,
        product_name: 'Club',
        type: 'subscription-regular',
        status: 'active',
        start: '2026-01-31T10:00:00.000Z',
        end_date: '2026-02-28T10:00:00.000Z',
        days_left: 28,
        renewable_until: null,
        renew_price: 50_000,
      },
    ]);
    at('2026-02-28T09:59:59Z');
    expect(await subscriptions()).toMatchObject([{ status: 'active', days_left: 1 }]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
    at('2026-02-28T10:00:00Z');
    expect(await subscriptions()).toMatchObject([{ status: 'expired', days_left: 0 }]);
    expect(await access(club)).toMatchObject({
      reason: 'expired',
      detail: { end_active: '2026-02-28T10:00:00.000Z' },
    });
  });

  test('is extended by a renewal, from its end on, and its access keeps its start', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-02-10T10:00:00Z');
    const second = await buy(club, { order_parent_id: first.id });
    expect(second).toMatchObject({ type: 'subscription-regular', order_parent_id: first.id });
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-02-28T10:00:00.000Z' }]);
    await move(second, 'completed');
    expect(await subscriptions()).toMatchObject([
      {
        order_id: second.id,
        order_parent_id: first.id,
        status: 'active',
        start: '2026-01-31T10:00:00.000Z',
        end_date: '2026-03-31T10:00:00.000Z',
      },
    ]);
    expect(await access(club)).toMatchObject({
      detail: { start: '2026-01-31T10:00:00.000Z', end_active: '2026-03-31T10:00:00.000Z' },
    });
    // A renewal of the renewal belongs to the same chain.
    const third = await buy(club, { order_parent_id: second.id, status: 'completed' });
    expect(third.order_parent_id).toBe(first.id);
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-04-30T10:00:00.000Z' }]);
    const { body } = await shop().api.get(`/access?user_id=${user}`);
    expect(body.meta.pagination.total).toBe(1);
  });

  test('that lapsed starts again when its renewal completes', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-10T12:00:00Z');
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-04-10T12:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });

  test('is not extended twice by an order that is completed twice', async () => {
    const club = await newClub();
    const order = await buy(club, { status: 'completed' });
    const before = await subscriptions();
    at('2026-02-05T10:00:00Z');
    await move(order, 'in-progress');
    await move(order, 'completed');
    expect((await subscriptions())[0]).toMatchObject({ end_date: before[0]?.end_date });
  });

  test('buys what was agreed when it was ordered, whatever the product says by then', async () => {
    const club = await newClub();
    const order = await buy(club);
    await shop().api.patch(`/products/${club}`, {
      subscription: { regular: { duration: 1, period: 'daily', price: 50_000 } },
    });
    await move(order, 'completed');
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-02-28T10:00:00.000Z' }]);
  });
});

describe('what is given back', () => {
  test('of a renewal leaves what was bought before', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(second, 'refunded');
    expect(await subscriptions()).toMatchObject([
      { order_id: first.id, status: 'active', end_date: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({
      reason: 'ok',
      detail: { end_active: '2026-02-28T10:00:00.000Z' },
    });
  });

  test('of the first order leaves the renewal', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-02-05T10:00:00Z');
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(first, 'refunded');
    expect(await subscriptions()).toMatchObject([
      {
        order_id: second.id,
        order_parent_id: first.id,
        status: 'active',
        start: '2026-02-05T10:00:00.000Z',
        end_date: '2026-03-05T10:00:00.000Z',
      },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });

  test('of all orders ends it and revokes the access', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(first, 'refunded');
    await move(second, 'refunded');
    expect(await subscriptions()).toMatchObject([
      { status: 'inactive', start: null, end_date: null, days_left: 0 },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'revoked' });
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable' },
    });
  });

  test('because a payment bounced is pending until it is paid again', async () => {
    const club = await newClub();
    const order = await buy(club, { status: 'completed' });
    await move(order, 'in-progress');
    expect(await subscriptions()).toMatchObject([{ status: 'active' }]);
    await move(order, 'on-hold');
    expect(await subscriptions()).toMatchObject([{ status: 'pending', end_date: null }]);
    expect(await access(club)).toMatchObject({ reason: 'not-bought' });
    at('2026-02-10T10:00:00Z');
    await move(order, 'completed');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', start: '2026-02-10T10:00:00.000Z' },
    ]);
    await move(order, 'in-progress');
    await move(order, 'cancelled');
    expect(await subscriptions()).toMatchObject([{ status: 'inactive' }]);
    expect(await access(club)).toMatchObject({ reason: 'revoked' });
  });

  test('is nothing where only an unpaid renewal is cancelled', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    await move(renewal, 'cancelled');
    await move(renewal, 'on-hold');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });
});

test('an order that others renew is not erased; one without leaves nothing behind', async () => {
  const club = await newClub();
  const first = await buy(club, { status: 'completed' });
  const renewal = await buy(club, { order_parent_id: first.id });
  const other = await buy(club, { status: 'completed' });
  for (const order of [first, other]) {
    await move(order, 'in-progress');
    await move(order, 'on-hold');
    await move(order, 'cancelled');
  }
  const erase = ({ id }: Order) => shop().api.delete(`/orders/${id}?force=true`);
  expect(await erase(first)).toMatchObject({ status: 409, body: { code: 'order_not_erasable' } });
  expect(await erase(other)).toMatchObject({ status: 200 });
  expect(await subscriptions()).toMatchObject([{ order_id: first.id, status: 'inactive' }]);
  await move(renewal, 'cancelled');
  expect(await erase(renewal)).toMatchObject({ status: 200 });
  expect(await erase(first)).toMatchObject({ status: 200 });
  expect(await subscriptions()).toEqual([]);
});

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
    // Ordered in time, paid later: what was accepted counts.
    at('2026-03-12T10:00:00Z');
    await move(renewal, 'completed');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-04-12T10:00:00.000Z' },
    ]);
    // Without a parent it is another subscription, at any time.
    await buy(club, { status: 'completed' });
    expect(await subscriptions()).toHaveLength(2);
  });

  test('takes a completed subscription of the same product and user', async () => {
    const club = await newClub();
    const other = await newClub();
    const first = await buy(club, { status: 'completed' });
    const stranger = await shop().newUser();
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

  test('may use the coupons for renewals, a first order may not', async () => {
    const club = await newClub();
    const coupon = {
      code: 'STAY',
      discount: { value: 10, type: 'percentage' },
      rule: { renewal_coupon: true },
    };
    expect((await shop().api.post('/coupons', coupon)).status).toBe(201);
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

  test('is of as many as the first order, at its price, whether it says so or not', async () => {
    const club = await licensed();
    const first = await buy(club, { quantity: 3, status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    expect(renewal).toMatchObject({ quantity: 3, grand_total: 150_000 + renewal.unique_code });
    expect((await buy(club, { order_parent_id: renewal.id, quantity: 3 })).quantity).toBe(3);
    for (const quantity of [1, 4]) {
      const other = await tryToBuy(club, { order_parent_id: first.id, quantity });
      expect(other).toMatchObject(wrongQuantity);
    }
    const lowered = await shop().api.patch(`/orders/${renewal.id}`, { quantity: 1 });
    expect(lowered).toMatchObject(wrongQuantity);
    expect(await shop().order(renewal.id)).toMatchObject({ quantity: 3, version: 1 });
  });

  test('stays possible where the product is sold in smaller quantities since', async () => {
    const club = await licensed();
    const first = await buy(club, { quantity: 3, status: 'completed' });
    await shop().api.patch(`/products/${club}`, { max_quantity: 2 });
    expect((await buy(club, { order_parent_id: first.id })).quantity).toBe(3);
    expect(await tryToBuy(club, { quantity: 3 })).toMatchObject(wrongQuantity);
  });

  test('costs the same at checkout', async () => {
    const club = await licensed();
    const { id } = await buy(club, { quantity: 3, status: 'completed' });
    const cart = { product_id: club, user_id: user, order_parent_id: id };
    const priced = await shop().api.post('/checkout/calculate', cart);
    expect(priced.body.data).toMatchObject({ quantity: 3, grand_total: 150_000 });
    const one = await shop().api.post('/checkout/calculate', { ...cart, quantity: 1 });
    expect(one).toMatchObject(wrongQuantity);
    const query = `product_id=${club}&user_id=${user}&order_parent_id=${id}`;
    const quote = await shop().api.get(`/checkout/quote?${query}`);
    expect(quote.body.data).toMatchObject({ quantity: 3, grand_total: 150_000 });
    expect(await shop().api.get(`/checkout/quote?${query}&quantity=2`)).toMatchObject(
      wrongQuantity,
    );
    const { quote_token } = quote.body.data;
    expect(await buy(club, { quote_token })).toMatchObject({ order_parent_id: id, quantity: 3 });
  });

  test('issues that many where the first order issued none', async () => {
    const club = await newClub({}, { license: { active: true } });
    const { id } = await buy(club, { quantity: 3, status: 'completed' });
    await shop().store.database.query('delete from licenses where order_id = $1', [id]);
    await buy(club, { order_parent_id: id, status: 'completed' });
    const { body } = await shop().api.get(`/licenses?order_id=${id}`);
    expect(body.data).toHaveLength(3);
  });
});

describe('trial, sign-up and regular terms', () => {
  const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
  const signup = { active: true, fee: 25_000 };

  test('follow each other by themselves', async () => {
    const club = await newClub({ tryout, signup });
    const trial = await buy(club);
    expect(trial).toMatchObject({
      type: 'subscription-tryout',
      grand_total: 0,
      status: 'completed',
      signup_fee: 0,
    });
    expect(await subscriptions()).toMatchObject([
      { type: 'subscription-tryout', end_date: '2026-02-07T10:00:00.000Z', renew_price: 50_000 },
    ]);
    const started = await buy(club, { order_parent_id: trial.id });
    expect(started).toMatchObject({
      type: 'subscription-signup',
      unit_price: 50_000,
      signup_fee: 25_000,
      grand_total: 75_000,
    });
    await move(started, 'completed');
    expect(await subscriptions()).toMatchObject([
      { type: 'subscription-signup', end_date: '2026-03-07T10:00:00.000Z' },
    ]);
    expect(await buy(club, { order_parent_id: trial.id })).toMatchObject({
      type: 'subscription-regular',
      grand_total: 50_000,
    });
  });

  test('start with the sign-up where there is no trial; its fee is paid once, for any quantity', async () => {
    const club = await newClub({ signup }, { license: { active: true } });
    const order = await buy(club, { quantity: 2 });
    expect(order).toMatchObject({ type: 'subscription-signup', grand_total: 125_000 });
    const { body } = await shop().api.patch(`/orders/${order.id}`, { quantity: 3 });
    expect(body.data).toMatchObject({ signup_fee: 25_000, grand_total: 175_000 });
  });

  test('cost the same at checkout', async () => {
    const club = await newClub({ signup });
    const cart = { product_id: club, user_id: user };
    const { body } = await shop().api.post('/checkout/calculate', cart);
    expect(body.data).toMatchObject({
      unit_price: 50_000,
      signup_fee: 25_000,
      grand_total: 75_000,
      subscription: monthly,
      lines: [{ kind: 'product' }, { kind: 'signup', amount: 25_000 }],
    });
    const first = await buy(club, { status: 'completed' });
    const renewal = await shop().api.get(
      `/checkout/quote?product_id=${club}&user_id=${user}&order_parent_id=${first.id}`,
    );
    expect(renewal.body.data).toMatchObject({ grand_total: 50_000 });
    const { quote_token } = renewal.body.data;
    expect(await buy(club, { quote_token })).toMatchObject({
      order_parent_id: first.id,
      type: 'subscription-regular',
      grand_total: 50_000,
    });
  });

  test('have one trial a user where the product says so', async () => {
    const club = await newClub({ tryout });
    await buy(club);
    expect(await tryToBuy(club, { type: 'subscription-tryout' })).toMatchObject({
      status: 409,
      body: { code: 'tryout_used' },
    });
    expect(await buy(club)).toMatchObject({ type: 'subscription-regular' });
    const generous = await newClub({ tryout: { ...tryout, first_only: false } });
    await buy(generous);
    expect(await buy(generous)).toMatchObject({ type: 'subscription-tryout' });
  });

  test.each([
    ['regular', 'a subscription'],
    ['subscription-tryout', 'a trial'],
    ['subscription-signup', 'no sign-up'],
  ])('are refused as %s where the product has none', async (type, reason) => {
    const club = await newClub();
    expect(await tryToBuy(club, { type })).toMatchObject({
      status: 400,
      body: { data: { params: { type: expect.stringContaining(reason) } } },
    });
  });

  test('are refused for a product that is sold once', async () => {
    const { id } = await shop().newProduct();
    const order = await buy(id, { type: 'regular' });
    expect(order).toMatchObject({ type: 'regular', order_parent_id: null });
    for (const wrong of [{ type: 'subscription-regular' }, { order_parent_id: order.id }]) {
      expect(await tryToBuy(id, wrong)).toMatchObject({ status: 400 });
    }
  });

  test("cost the product's price where the subscription names none", async () => {
    const club = await newClub({ regular: { ...monthly, price: 0 } });
    expect(await buy(club)).toMatchObject({ grand_total: 60_000 });
  });
});

describe('the cron', () => {
  const run = async (limit?: number) => {
    const { connection } = await shop().store.services();
    await expireSubscriptions({ connection, clock: shop().store.clock }, limit);
  };
  const stored = async () => {
    const { rows } = await shop().store.database.query<{ status: string; version: string }>(
      'select status, version from subscriptions where user_id = $1 order by id',
      [user],
    );
    return rows.map(({ status }) => status);
  };
  const heard = async () => {
    const { rows } = await shop().store.database.query<{ event: string; end_date: string }>(
      `select event, data ->> 'end_date' as end_date from outbox o
        where event like 'subscription.%' and exists (
          select from subscriptions s where s.id = o.object_id and s.user_id = $1
        ) order by id`,
      [user],
    );
    return rows.map(({ event, end_date }) => `${event} ${end_date}`);
  };

  test('notes down what is over, a few at a time, and tells each once', async () => {
    // What earlier tests left behind is over first.
    at('2099-01-01T00:00:00Z');
    await run(1000);
    await shop().api.post('/webhooks', {
      name: 'All',
      url: 'https://receiver.example/hook',
      events: ['subscription.*'],
    });
    at('2026-01-31T10:00:00Z');
    const club = await newClub();
    await buy(club, { status: 'completed' });
    at('2026-01-31T11:00:00Z');
    await buy(club, { status: 'completed' });
    await buy(await newClub({ regular: { ...monthly, period: 'yearly' } }), {
      status: 'completed',
    });

    at('2026-02-28T09:59:59Z');
    await run();
    expect(await stored()).toEqual(['active', 'active', 'active']);
    at('2026-03-01T00:00:00Z');
    await run(1);
    expect(await stored()).toEqual(['expired', 'active', 'active']);
    await run(1);
    await run(1);
    expect(await stored()).toEqual(['expired', 'expired', 'active']);
    expect(await heard()).toEqual([
      'subscription.active 2026-02-28T10:00:00.000Z',
      'subscription.active 2026-02-28T11:00:00.000Z',
      'subscription.active 2027-01-31T11:00:00.000Z',
      'subscription.expired 2026-02-28T10:00:00.000Z',
      'subscription.expired 2026-02-28T11:00:00.000Z',
    ]);
  });

  test('leaves alone what was renewed since it looked', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-01T00:00:00Z');
    const now = shop().store.clock.now();
    const work = await unit();
    const { over } = await work.query({ over: findOver(now, 10) });
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    await work.write(
      over.map((row) => {
        const record = toSubscription(row, now.toISOString());
        const event = subscriptionEvent('subscription.expired', record);
        return expireSubscription(row.subscription, event, now);
      }),
    );
    expect(over).toMatchObject([{ subscription: { user_id: user } }]);
    expect(await stored()).toEqual(['active']);
    expect(await heard()).not.toContainEqual(expect.stringContaining('expired'));
  });

  test('is not what a renewal waits for, nor the end of what is over', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-01T00:00:00Z');
    await run();
    expect(await stored()).toEqual(['expired']);
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await stored()).toEqual(['active']);
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-04-01T00:00:00.000Z' }]);
  });
});

test("a user's running subscriptions are counted, those that end within a week apart", async () => {
  const club = await newClub();
  const yearly = await newClub({ regular: { ...monthly, period: 'yearly' } });
  await buy(club, { status: 'completed' });
  await buy(yearly, { status: 'completed' });
  const counted = async () => {
    const now = shop().store.clock.now();
    const { counts } = await (await unit()).query({ counts: countSubscriptions(user, now) });
    return counts[0];
  };
  expect(await counted()).toEqual({ total: 2, active: 2, expiring_7d: 0 });
  at('2026-02-21T10:00:00Z');
  expect(await counted()).toEqual({ total: 2, active: 2, expiring_7d: 1 });
  at('2026-02-28T10:00:00Z');
  expect(await counted()).toEqual({ total: 2, active: 1, expiring_7d: 0 });
});

test('after all of this every derived figure is right', async () => {
  expect(wrong(await checkIntegrity(shop().store.database))).toEqual([]);
});
