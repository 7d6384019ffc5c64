import { describe, expect, test } from 'vitest';
import { day, nothing, percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

/** A new affiliate with completed sales of 20,000 each. */
async function earner(sales: number, affiliate: object = { hold_days: 0 }) {
  const { at } = stage;
  const person = await at.fixture.newAffiliate();
  const product = await at.newCourse({ tiers: percentages(20), ...affiliate });
  const orders = [];
  for (let i = 0; i < sales; i++) {
    const order = await at.sell(product, { affiliate_id: person.id });
    await at.change(order, { status: 'completed' });
    orders.push(order);
  }
  return { at, person, product, orders };
}

describe('A payout', () => {
  test('pays everything payable, and marks each commission', async () => {
    const { at, person, product, orders } = await earner(2);
    const pending = await at.sell(product, { affiliate_id: person.id });
    const { body, status } = await at.payOut(person);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      affiliate_id: person.id,
      affiliate: { id: person.id, display_name: person.display_name },
      amount: 40_000,
      currency: 'USD',
      commissions: 2,
      method: 'BCA',
      reference: 'TRX-1',
      date_end: null,
      status: 'paid',
      cancelled_at: null,
      created_at: '2026-03-10T09:00:00.000Z',
      updated_at: '2026-03-10T09:00:00.000Z',
      version: 1,
    });
    for (const order of orders) {
      expect(await at.ledger(order)).toMatchObject([
        {
          state: 'paid',
          paid_status: true,
          payout_id: body.data.id,
          paid_at: body.data.created_at,
        },
      ]);
    }
    expect(await at.ledger(pending)).toMatchObject([{ state: 'pending', payout_id: null }]);
    const { body: info } = await at.fixture.api.get(`/affiliates/${person.id}/commission-info`);
    expect(info.data.last_paid_at).toBe(body.data.created_at);
    expect(await at.payOut(person)).toMatchObject({
      status: 409,
      body: { code: 'nothing_payable' },
    });
  });

  test('pays what an affiliate had earned before they were erased', async () => {
    const { at, person } = await earner(1);
    await at.fixture.api.delete(`/users/${person.id}`);
    const { status, body } = await at.payOut(person);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      affiliate: { id: person.id, display_name: 'Deleted user' },
      amount: 20_000,
    });
    expect((await at.payOut(person)).body.code).toBe('nothing_payable');
    expect(await at.payOut({ ...person, id: 999_999 })).toMatchObject({ status: 404 });
    await expectIntegrity(at.fixture);
  });

  test('is refused with the name of the draft that holds the commissions, if one does', async () => {
    const { at, person } = await earner(1);
    const { api } = at.fixture;
    const message = async () => (await at.payOut(person)).body.message;
    const run = (await api.post('/payout-runs', { affiliates: [person.id] })).body.data;
    expect(await message()).toMatch(`The draft of payout run ${run.id} holds commissions`);
    expect(await at.balances(person)).toMatchObject({ payable: 20_000 });
    await api.post(`/payout-runs/${run.id}/discard`);
    expect((await at.payOut(person)).status).toBe(201);
    expect(await message()).toBe('The affiliate has no payable commissions.');
  });

  test('is refused while a draft has a negative line of the affiliate, and deducts it afterwards', async () => {
    const { at, person, product, orders } = await earner(1);
    const { api } = at.fixture;
    await at.payOut(person);
    await at.refund(orders[0] ?? { id: 0 }, 50_000);
    const run = (await api.post('/payout-runs', { affiliates: [person.id] })).body.data;
    expect(run.lines).toMatchObject([{ amount: -10_000, payable: false }]);
    await at.sell(product, { affiliate_id: person.id, status: 'completed' });
    const { status, body } = await at.payOut(person);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'nothing_payable',
      message: `The draft of payout run ${run.id} deducts more from the affiliate than it pays. Confirm or discard it.`,
    });
    await api.post(`/payout-runs/${run.id}/discard`);
    expect((await at.payOut(person)).body.data).toMatchObject({ amount: 10_000, commissions: 2 });
    await expectIntegrity(at.fixture);
  });

  test('leaves out held commissions, and those after its date', async () => {
    const { at, person, product } = await earner(1);
    at.fixture.store.clock.advance(2 * day);
    const late = await at.sell(product, { affiliate_id: person.id });
    await at.change(late, { status: 'completed' });
    const held = await at.sell(await at.newCourse(), { affiliate_id: person.id });
    await at.change(held, { status: 'completed' });
    const pay = (date_end: string) =>
      at.fixture.api.post('/payouts', {
        ...{ affiliate_id: person.id, method: 'BCA', reference: '1', date_end },
      });
    const today = at.fixture.store.clock.now().toISOString().slice(0, 10);
    const yesterday = new Date(Date.parse(today) - day * 1000).toISOString().slice(0, 10);
    expect((await pay('2020-01-01')).status).toBe(409);
    expect((await pay(yesterday)).body.data).toMatchObject({ amount: 20_000, commissions: 1 });
    expect((await pay(today)).body.data).toMatchObject({ amount: 20_000, date_end: today });
    expect(await at.balances(person)).toEqual({ ...nothing, held: 20_000, paid: 40_000 });
  });

  test.each([
    { paid: 'not paid out yet', isPaid: false },
    { paid: 'paid out before', isPaid: true },
  ])(
    'up to a date deducts a later refund of an earlier sale that was $paid',
    async ({ isPaid }) => {
      const { at, person, orders } = await earner(2);
      const { clock } = at.fixture.store;
      const date_end = clock.now().toISOString().slice(0, 10);
      if (isPaid) await at.payOut(person);
      const pay = () =>
        at.fixture.api.post('/payouts', {
          ...{ affiliate_id: person.id, method: 'BCA', reference: '1', date_end },
        });
      if (isPaid) {
        const late = await at.sell(await at.newCourse({ hold_days: 0 }), {
          affiliate_id: person.id,
        });
        await at.change(late, { status: 'completed' });
      }
      clock.advance(2 * day);
      await at.refund(orders[0] ?? { id: 0 }, 50_000);
      expect((await pay()).body.data).toMatchObject({ amount: isPaid ? 10_000 : 30_000 });
      expect(await at.balances(person)).toMatchObject({ payable: 0 });
      await expectIntegrity(at.fixture);
    },
  );

  test('up to a date deducts the refund of a later sale that was paid before', async () => {
    const { at, person, product } = await earner(1);
    const { api, store } = at.fixture;
    const date_end = store.clock.now().toISOString().slice(0, 10);
    store.clock.advance(2 * day);
    const late = await at.sell(product, { affiliate_id: person.id, status: 'completed' });
    const [commission] = await at.ledger(late);
    await at.adjust(commission ?? { id: 0 }, { paid_status: true });
    await at.refund(late, 50_000);
    const { body } = await api.post('/payouts', {
      ...{ affiliate_id: person.id, method: 'BCA', reference: '1', date_end },
    });
    expect(body.data).toMatchObject({ amount: 10_000, commissions: 2 });
    expect(await at.balances(person)).toMatchObject({ payable: 0 });
    await expectIntegrity(at.fixture);
  });

  test('that is cancelled releases its commissions', async () => {
    const { at, person, orders } = await earner(2);
    const { body } = await at.payOut(person);
    const cancel = () => at.fixture.api.post(`/payouts/${body.data.id}/cancel`);
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { status: 'cancelled', amount: 40_000, version: 2 } },
    });
    expect((await cancel()).body).toEqual(cancelled.body);
    expect(await at.balances(person)).toEqual({ ...nothing, payable: 40_000 });
    await at.refund(orders[0] ?? { id: 0 }, 100_000);
    expect((await at.payOut(person)).body.data).toMatchObject({ amount: 20_000, commissions: 1 });
    await expectIntegrity(at.fixture);
  });

  test('that is cancelled while its order is open again leaves the commission waiting', async () => {
    const { at, person, orders } = await earner(1);
    const { body } = await at.payOut(person);
    const [order = { id: 0 }] = orders;
    await at.refund(order, 50_000);
    await at.change(order, { status: 'in-progress' });
    await at.fixture.api.post(`/payouts/${body.data.id}/cancel`);
    expect(await at.balances(person)).toEqual({ ...nothing, pending: 10_000 });
    await at.change(order, { status: 'completed' });
    expect(await at.balances(person)).toEqual({ ...nothing, payable: 10_000 });
    await expectIntegrity(at.fixture);
  });

  test('that is cancelled after its order was refunded leaves nothing to pay', async () => {
    const { at, person, orders } = await earner(1);
    const { body } = await at.payOut(person);
    await at.refund(orders[0] ?? { id: 0 });
    expect(await at.balances(person)).toEqual({ ...nothing, payable: -20_000, paid: 20_000 });
    await at.fixture.api.post(`/payouts/${body.data.id}/cancel`);
    expect(await at.balances(person)).toEqual(nothing);
    await expectIntegrity(at.fixture);
  });

  test('needs an affiliate, a method and a reference', async () => {
    const { api } = stage.at.fixture;
    const body = { affiliate_id: 999_999, method: 'BCA', reference: 'TRX' };
    expect(await api.post('/payouts', body)).toMatchObject({
      status: 404,
      body: { data: { params: { affiliate_id: 'unknown id' } } },
    });
    expect(await api.post('/payouts', { affiliate_id: stage.at.top.id })).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
    expect((await api.post('/payouts/999999/cancel')).status).toBe(404);
  });
});

test('payouts are listed, newest first, by affiliate, status and day', async () => {
  const { at, person } = await earner(1);
  const first = (await at.payOut(person)).body.data;
  await at.fixture.api.post(`/payouts/${first.id}/cancel`);
  at.fixture.store.clock.advance(day);
  const second = (await at.payOut(person)).body.data;
  const list = async (query: string) => {
    const { body, trips } = await at.fixture.api.get(`/payouts?${query}`);
    expect(trips).toBe(1);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: number }) => id);
  };
  const mine = `affiliate_id=${person.id}`;
  expect(await list(mine)).toEqual([second.id, first.id]);
  expect(await list(`${mine}&status=cancelled`)).toEqual([first.id]);
  expect(await list(`${mine}&date_start=${second.created_at.slice(0, 10)}`)).toEqual([second.id]);
});
