import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { announceOverdues } from '../../../src/jobs/expire-subscriptions.ts';
import { useClubs } from './stage.ts';

const { fixture, at, user, newClub, buy, tryToBuy, move, access } = useClubs();

const current = async () => {
  const { body } = await fixture().api.get(`/subscriptions?user_id=${user()}`);
  return body.data[0];
};

const plan = { payments: 3, after: 'keep', grace_days: 5 };

const pay = (club: number, order_parent_id: number, fields: object = {}) =>
  buy(club, { order_parent_id, status: 'completed', ...fields });

beforeAll(async () => {
  const hook = { name: 'All', url: 'https://hooks.example/all', events: ['subscription.*'] };
  expect((await fixture().api.post('/webhooks', hook)).status).toBe(201);
});

describe('A payment plan', () => {
  long.each([
    ['taken off sale', () => ({ enable_sale: false })],
    ['made a draft', () => ({ status: 'draft' })],
    ['closed at a time', () => ({ disable_sale_time: '2026-01-31T10:00:00Z' })],
    ['limited to a group of others', (group: number) => ({ group: { buy_list: [group] } })],
  ])('is paid to its end although its product was %s', async (_, changed) => {
    const club = await newClub(plan);
    const first = await buy(club, { status: 'completed' });
    const { body: made } = await fixture().api.post('/user-groups', { name: `Others of ${club}` });
    const changes = changed(made.data.id);
    expect((await fixture().api.patch(`/products/${club}`, changes)).status).toBe(200);
    const cart = { product_id: club, user_id: user(), order_parent_id: first.id };
    const { body } = await fixture().api.post('/checkout/calculate', cart);
    expect(body.data).toMatchObject({ valid: true, grand_total: 50_000 });
    await pay(club, first.id);
    expect(await current()).toMatchObject({ paid: 2, renewable: true });
    expect((await tryToBuy(club)).body.code).toBe('product_closed');
  });

  test('gives access to each due date and its days of grace, and for good after the last payment', async () => {
    const club = await newClub(plan);
    const first = await buy(club, { status: 'completed' });
    expect(await current()).toMatchObject({
      payments: 3,
      paid: 1,
      next_due: '2026-02-28T10:00:00.000Z',
      end_date: '2026-03-05T10:00:00.000Z',
    });
    at('2026-03-01T10:00:00Z');
    await announceOverdues(await fixture().store.services());
    const { rows } = await fixture().store.database.query(
      `select from outbox where event = 'subscription.overdue'`,
    );
    expect(rows).toHaveLength(1);
    at('2026-03-20T10:00:00Z');
    expect(await access(club)).toMatchObject({ reason: 'expired' });
    await pay(club, first.id);
    // Paid late; the next due date stays.
    expect(await current()).toMatchObject({
      paid: 2,
      next_due: '2026-03-31T10:00:00.000Z',
      end_date: '2026-04-05T10:00:00.000Z',
    });
    await expectIntegrity(fixture());
    await pay(club, first.id);
    expect(await current()).toMatchObject({
      ...{ status: 'active', paid: 3, next_due: null, end_date: null, days_left: null },
      renewable: false,
    });
    expect(await access(club)).toMatchObject({ reason: 'ok', detail: { end_active: null } });
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      status: 409,
      body: { code: 'plan_complete' },
    });
    const { body } = await fixture().api.get(`/subscriptions?status=active&product_id=${club}`);
    expect(body.data).toHaveLength(1);
    await expectIntegrity(fixture());
  });

  test('is not renewable while open orders cover the payments that are left', async () => {
    const club = await newClub(plan);
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id });
    expect(await current()).toMatchObject({ paid: 1, renewable: true });
    const third = await buy(club, { order_parent_id: first.id });
    expect(await current()).toMatchObject({ paid: 1, renewable: false });
    await move(second, 'completed');
    const { rows } = await fixture().store.database.query(
      `select data -> 'renewable' as renewable from outbox
        where event = 'subscription.active' and (data ->> 'product_id')::bigint = $1 order by id`,
      [club],
    );
    expect(rows).toEqual([{ renewable: true }, { renewable: false }]);
    await move(third, 'cancelled');
    expect(await current()).toMatchObject({ paid: 2, renewable: true });
  });

  test('with `after: end` ends with the period of its last payment, however early that was paid', async () => {
    const club = await newClub({ ...plan, after: 'end' });
    const first = await buy(club, { status: 'completed' });
    await pay(club, first.id);
    const open = await buy(club, { order_parent_id: first.id });
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      body: { code: 'plan_complete' },
    });
    await move(open, 'cancelled');
    await pay(club, first.id);
    expect(await fixture().api.patch(`/orders/${open.id}`, { status: 'on-hold' })).toMatchObject({
      body: { code: 'plan_complete' },
    });
    expect(await current()).toMatchObject({ paid: 3, end_date: '2026-04-30T10:00:00.000Z' });
    await expectIntegrity(fixture());
  });

  test('whose cancelled first order was replaced does not take that order again', async () => {
    const club = await newClub({ ...plan, payments: 2 });
    const first = await buy(club, { status: 'completed' });
    await pay(club, first.id);
    await move(first, 'in-progress');
    await move(first, 'cancelled');
    await pay(club, first.id);
    expect(await fixture().api.patch(`/orders/${first.id}`, { status: 'on-hold' })).toMatchObject({
      status: 409,
      body: { code: 'plan_complete' },
    });
    expect(await current()).toMatchObject({ payments: 2, paid: 2 });
    await expectIntegrity(fixture());
  });

  test('has its later payments completed by an approved payment proof, since nothing is shipped', async () => {
    const club = await newClub(plan, { type: 'physical' });
    const first = await buy(club, { status: 'completed' });
    const { id: order_id, grand_total: total } = await buy(club, { order_parent_id: first.id });
    const proof = await fixture().api.post('/confirmations', { order_id, total });
    const path = `/confirmations/${proof.body.data.id}`;
    expect(await fixture().api.post(path, { status: 'approved' })).toMatchObject({ status: 200 });
    expect(await fixture().order(order_id)).toMatchObject({ status: 'completed' });
    expect(await current()).toMatchObject({ paid: 2 });
  });

  test('keeps its number, price and end as agreed, and only its first order ships, takes stock and issues licences', async () => {
    const signup = { active: true, fee: 10_000 };
    const club = await newClub(
      { ...plan, signup },
      {
        type: 'physical',
        stock: 10,
        license: { active: true, count: 1, expires_days: 365, max_resets: 3 },
        variants: [
          {
            ...{ id: 'size', key: 'size', label: 'Size', required: true },
            options: [{ id: 'big', key: 'big', label: 'Big', extra_price: 5_000 }],
          },
        ],
      },
    );
    const first = await buy(club, { variants: ['big'], status: 'completed' });
    expect(first.grand_total).toBe(65_000);
    const licences = async () =>
      (await fixture().api.get(`/licenses?product_id=${club}`)).body.data;
    const [issued] = await licences();
    const changed = await fixture().api.patch(`/products/${club}`, {
      subscription: {
        ...{ payments: 9, after: 'end' },
        regular: { duration: 1, period: 'yearly', price: 99_000 },
      },
    });
    expect(changed.status).toBe(200);
    const second = await buy(club, { order_parent_id: first.id });
    expect(second).toMatchObject({ grand_total: 55_000, signup_fee: 0, shipping_total: 0 });
    expect(second.next_statuses).not.toContain('shipping');
    await move(second, 'completed');
    expect(await current()).toMatchObject({ payments: 3, paid: 2 });
    expect(await licences()).toEqual([issued]);
    const { body } = await fixture().api.get(`/products/${club}`);
    expect(body.data.stock).toBe(9);
    await expectIntegrity(fixture());
  });

  test.each([
    ['no sign-up fee', { active: false, fee: 0 }, 55_000],
    ['a sign-up fee', { active: true, fee: 10_000 }, 65_000],
  ])('that began with a trial keeps its tax and %s as agreed', async (_, signup, total) => {
    const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
    const tax = { enabled: true, rate: 10, inclusive: false };
    const club = await newClub({ ...plan, tryout, signup }, { tax });
    const trial = await buy(club);
    const changed = await fixture().api.patch(`/products/${club}`, {
      tax: { enabled: true, rate: 50, inclusive: false },
      subscription: { signup: { active: true, fee: 500_000 } },
    });
    expect(changed.status).toBe(200);
    const cart = { product_id: club, user_id: user(), order_parent_id: trial.id };
    const { body } = await fixture().api.post('/checkout/calculate', cart);
    expect(body.data).toMatchObject({ valid: true, grand_total: total });
    const first = await pay(club, trial.id);
    expect(first).toMatchObject({ grand_total: total, tax_total: 5_000 });
    expect(await pay(club, trial.id)).toMatchObject({ grand_total: 55_000, signup_fee: 0 });
    await expectIntegrity(fixture());
  });

  test('counts a payment refunded in full as unpaid, and one refunded in part as paid', async () => {
    const club = await newClub(plan, {
      license: { active: true, count: 1, expires_days: 365, max_resets: 3 },
    });
    const first = await buy(club, { status: 'completed' });
    const second = await pay(club, first.id);
    await fixture().api.post(`/orders/${second.id}/refunds`, { amount: 10_000 });
    expect(await current()).toMatchObject({ paid: 2 });
    await fixture().api.post(`/orders/${first.id}/refunds`, {});
    expect(await current()).toMatchObject({
      ...{ paid: 1, start: '2026-01-31T10:00:00.000Z', next_due: '2026-02-28T10:00:00.000Z' },
      status: 'active',
    });
    const { body } = await fixture().api.get(`/licenses?product_id=${club}`);
    expect(body.data).toMatchObject([{ status: 'active' }]);
    await expectIntegrity(fixture());
    await pay(club, first.id);
    await pay(club, first.id);
    expect(await current()).toMatchObject({ paid: 3, end_date: null });
    await expectIntegrity(fixture());
  });

  long('moves its due dates and its end by a pause', async () => {
    const club = await newClub(plan);
    const first = await buy(club, { status: 'completed' });
    const { id } = await current();
    at('2026-02-10T10:00:00Z');
    await fixture().api.post(`/subscriptions/${id}/pause`, {});
    at('2026-02-20T10:00:00Z');
    await fixture().api.post(`/subscriptions/${id}/resume`);
    expect(await current()).toMatchObject({
      next_due: '2026-03-10T10:00:00.000Z',
      end_date: '2026-03-15T10:00:00.000Z',
    });
    await pay(club, first.id);
    expect(await current()).toMatchObject({ next_due: '2026-04-10T10:00:00.000Z' });
    await expectIntegrity(fixture());
  });
});
