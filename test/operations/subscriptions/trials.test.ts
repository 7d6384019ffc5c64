import { describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { monthly, useClubs } from './stage.ts';

const { fixture, user, newClub, buy, tryToBuy, move, subscriptions } = useClubs();

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

  test('follow each other in a payment plan too, whose first payment has the sign-up fee', async () => {
    const club = await newClub({ tryout, signup, payments: 3 });
    const quote = async (order_parent_id?: number) => {
      const cart = { product_id: club, user_id: user(), order_parent_id };
      return (await fixture().api.post('/checkout/calculate', cart)).body.data;
    };
    expect(await quote()).toMatchObject({ grand_total: 0, subscription: { payments: 3 } });
    const trial = await buy(club);
    const next = { order_parent_id: trial.id, status: 'completed' };
    expect(await quote(trial.id)).toMatchObject({
      grand_total: 75_000,
      subscription: { payments: 2, price: 50_000 },
    });
    expect(await buy(club, next)).toMatchObject({
      ...{ type: 'subscription-signup', signup_fee: 25_000, grand_total: 75_000 },
    });
    expect(await tryToBuy(club, { ...next, type: 'subscription-signup' })).toMatchObject({
      status: 400,
      body: { data: { params: { type: expect.stringContaining('no sign-up') } } },
    });
    for (const _ of ['second', 'third'])
      expect(await buy(club, next)).toMatchObject({ signup_fee: 0, grand_total: 50_000 });
    expect(await tryToBuy(club, next)).toMatchObject({ body: { code: 'plan_complete' } });
  });

  test.each([null, 3])(
    'have the fee once while its order is open, with %s payments, and again once that order is cancelled',
    async (payments) => {
      const club = await newClub({ tryout, signup, payments });
      const trial = await buy(club);
      const next = { order_parent_id: trial.id };
      const first = await buy(club, next);
      expect(first).toMatchObject({ type: 'subscription-signup', signup_fee: 25_000 });
      const second = await buy(club, next);
      expect(second).toMatchObject({ type: 'subscription-regular', signup_fee: 0 });
      expect(await tryToBuy(club, { ...next, type: 'subscription-signup' })).toMatchObject({
        status: 400,
        body: { data: { params: { type: expect.stringContaining('no sign-up') } } },
      });
      await move(first, 'cancelled');
      await move(second, 'cancelled');
      expect(await buy(club, next)).toMatchObject({ signup_fee: 25_000 });
      const reopened = await fixture().api.patch(`/orders/${first.id}`, { status: 'on-hold' });
      expect(reopened).toMatchObject({ status: 409, body: { code: 'subscription_not_renewable' } });
    },
  );

  test.each([null, 3])(
    'have the fee in the order after a cancelled one, though a term without it was paid meanwhile, with %s payments',
    async (payments) => {
      const club = await newClub({ tryout, signup, payments });
      const next = { order_parent_id: (await buy(club)).id };
      const first = await buy(club, next);
      const second = await buy(club, next);
      await move(second, 'completed');
      await move(first, 'cancelled');
      expect(await buy(club, next)).toMatchObject({ signup_fee: 25_000, grand_total: 75_000 });
    },
  );

  test('have the fee though the order with it was deleted: its erasure is refused once a term was ordered without the fee', async () => {
    const club = await newClub({ tryout, signup });
    const next = { order_parent_id: (await buy(club)).id };
    const erase = ({ id }: { id: number }) => fixture().api.delete(`/orders/${id}?force=true`);
    const early = await buy(club, next);
    await move(early, 'cancelled');
    expect((await erase(early)).status).toBe(200);
    const charged = await buy(club, next);
    const free = await buy(club, next);
    expect(free).toMatchObject({ type: 'subscription-regular', signup_fee: 0 });
    await move(free, 'completed');
    await move(charged, 'cancelled');
    const refused = { status: 409, body: { code: 'order_not_erasable' } };
    expect(await erase(charged)).toMatchObject(refused);
    expect((await fixture().api.delete(`/orders/${charged.id}`)).status).toBe(200);
    expect(await erase(charged)).toMatchObject(refused);
    const again = await buy(club, next);
    expect(again).toMatchObject({ signup_fee: 25_000 });
    await move(again, 'completed');
    expect((await erase(charged)).status).toBe(200);
    expect(await buy(club, next)).toMatchObject({ signup_fee: 0 });
  });

  test('stay without a second fee if a cancelled order is reopened after the next one was paid', async () => {
    const club = await newClub({ tryout, signup });
    const next = { order_parent_id: (await buy(club)).id };
    const first = await buy(club, next);
    await move(first, 'cancelled');
    await move(await buy(club, next), 'completed');
    const reopened = await fixture().api.patch(`/orders/${first.id}`, { status: 'on-hold' });
    expect(reopened).toMatchObject({ status: 409, body: { code: 'subscription_not_renewable' } });
  });

  test('stay without a second fee if their first order is reopened after a renewal paid the fee', async () => {
    const club = await newClub({ signup });
    const first = await buy(club, { status: 'completed' });
    const next = { order_parent_id: first.id, status: 'completed' };
    await buy(club, next);
    await move(first, 'in-progress');
    await move(first, 'cancelled');
    expect(await buy(club, next)).toMatchObject({ signup_fee: 25_000 });
    const reopened = await fixture().api.patch(`/orders/${first.id}`, { status: 'on-hold' });
    expect(reopened).toMatchObject({ status: 409, body: { code: 'subscription_not_renewable' } });
  });

  test('have the fee once if two renewals are placed at the same moment', async () => {
    const club = await newClub({ tryout, signup });
    const next = { order_parent_id: (await buy(club)).id };
    const orders = await Promise.all([1, 2, 3, 4].map(() => buy(club, next)));
    const fees = orders.map(({ signup_fee }) => signup_fee);
    expect(fees.toSorted((a, b) => b - a)).toEqual([25_000, 0, 0, 0]);
  });

  test('start with the sign-up if there is no trial; its fee is paid once, for any quantity', async () => {
    const club = await newClub({ signup }, { license: { active: true } });
    const order = await buy(club, { quantity: 2 });
    expect(order).toMatchObject({ type: 'subscription-signup', grand_total: 125_000 });
    const { body } = await fixture().api.patch(`/orders/${order.id}`, { quantity: 3 });
    expect(body.data).toMatchObject({ signup_fee: 25_000, grand_total: 175_000 });
  });

  test('cost the same at checkout', async () => {
    const club = await newClub({ signup });
    const cart = { product_id: club, user_id: user() };
    const { body } = await fixture().api.post('/checkout/calculate', cart);
    expect(body.data).toMatchObject({
      unit_price: 50_000,
      signup_fee: 25_000,
      grand_total: 75_000,
      subscription: monthly,
      lines: [{ kind: 'product' }, { kind: 'signup', amount: 25_000 }],
    });
    const first = await buy(club, { status: 'completed' });
    const renewal = await fixture().api.get(
      `/checkout/quote?product_id=${club}&user_id=${user()}&order_parent_id=${first.id}`,
    );
    expect(renewal.body.data).toMatchObject({ grand_total: 50_000 });
    const { quote_token } = renewal.body.data;
    expect(await buy(club, { quote_token })).toMatchObject({
      order_parent_id: first.id,
      type: 'subscription-regular',
      grand_total: 50_000,
    });
  });

  test.each([
    ['smaller', 40_000],
    ['larger', 75_000],
  ])('include a trial that costs nothing with a %s option too', async (id, price) => {
    const option = { id, label: id, extra_price: price - 50_000, active: true };
    const sizes = [{ id: 'size', key: 'size', label: 'Size', required: true, options: [option] }];
    for (const payments of [null, 3]) {
      const club = await newClub({ tryout, payments }, { variants: sizes });
      const trial = await buy(club, { variants: [id] });
      expect(trial).toMatchObject({ type: 'subscription-tryout', grand_total: 0 });
      const next = { order_parent_id: trial.id, variants: payments === null ? [id] : [] };
      expect(await buy(club, next)).toMatchObject({ grand_total: price });
    }
  });

  test('include one trial per user if the product says so', async () => {
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
    ['subscription-tryout', 'no trial'],
    ['subscription-signup', 'no sign-up'],
  ])('are refused as %s where the product has none', async (type, reason) => {
    const club = await newClub();
    expect(await tryToBuy(club, { type })).toMatchObject({
      status: 400,
      body: { data: { params: { type: expect.stringContaining(reason) } } },
    });
  });

  test('are refused for a product that is sold once', async () => {
    const { id } = await fixture().newProduct();
    const order = await buy(id, { type: 'regular' });
    expect(order).toMatchObject({ type: 'regular', order_parent_id: null });
    for (const wrong of [{ type: 'subscription-regular' }, { order_parent_id: order.id }]) {
      expect(await tryToBuy(id, wrong)).toMatchObject({ status: 400 });
    }
  });

  test("cost the product's price if the subscription has none", async () => {
    const club = await newClub({ regular: { ...monthly, price: 0 } });
    expect(await buy(club)).toMatchObject({ grand_total: 60_000 });
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
