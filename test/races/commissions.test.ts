import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { percentages, useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { behindLock, times, transaction } from './queue.ts';

const stage = useAffiliateStore();
let product: number;

beforeAll(async () => {
  product = (await stage.at.newCourse({ tiers: percentages(20), hold_days: 0 })).id;
});

/** An affiliate with payable commissions of 20,000 each, and their orders. */
async function earner(sales: number) {
  const { at } = stage;
  const person = await at.fixture.newAffiliate();
  const orders = [];
  for (let i = 0; i < sales; i++) {
    const sold = { product_id: product, affiliate_id: person.id, status: 'completed' };
    orders.push(await at.fixture.newOrder(sold));
  }
  return { person, orders };
}

const rowsOf = (affiliate: number) =>
  `select from commissions where affiliate_id = ${affiliate} for update`;

const payOut = (person: { id: number }) => () => stage.at.payOut(person);

describe('20 parallel payouts', () => {
  test('pay each commission once', async () => {
    const { at } = stage;
    const { person } = await earner(5);
    const replies = await behindLock(
      at.fixture.store,
      rowsOf(person.id),
      times(20, payOut(person)),
    );
    const paid = replies.filter(({ status }) => status === 201);
    expect(paid.map(({ body }) => body.data.amount)).toEqual([100_000]);
    expect(replies.filter(({ body }) => body.code === 'nothing_payable')).toHaveLength(19);
    expect((await at.balances(person)).paid).toBe(100_000);
    await expectIntegrity(at.fixture);
  });

  long('control: reading the payable commissions first pays them 20 times', async () => {
    const { at } = stage;
    const { person } = await earner(2);
    const broken = transaction(at.fixture.store, async (client) => {
      const { rows } = await client.query(
        `select sum(commission) as amount from commissions
          where affiliate_id = $1 and status = 'added' and paid_at is null`,
        [person.id],
      );
      if (rows[0].amount === null) return false;
      await client.query('update commissions set paid_at = now() where affiliate_id = $1', [
        person.id,
      ]);
      return true;
    });
    const lock = rowsOf(person.id);
    const results = await behindLock(at.fixture.store, lock, times(20, broken));
    expect(results.filter(Boolean)).toHaveLength(20);
  });
});

long.each(['refund', 'commission'])(
  'A commission revived by hand during the refund of its order earns nothing: %s first',
  async (first) => {
    const { at } = stage;
    const { person, orders } = await earner(1);
    const id = orders[0]?.id;
    const { body } = await at.fixture.api.get(`/commissions?order_id=${id}`);
    const [row] = body.data;
    await at.adjust(row, { status: 'cancelled' });
    const refund = () => at.fixture.api.post(`/orders/${id}/refunds`, {});
    const revive = () => at.adjust(row, { status: 'added' });
    const callers = first === 'refund' ? [refund, revive] : [revive, refund];
    const lock = `select from orders where id = ${id} for update`;
    const replies = await behindLock(at.fixture.store, lock, callers, { inTurn: true });
    expect(replies.map(({ status }) => status)).toContain(201);
    expect(await at.balances(person)).toMatchObject({ paid: 0, payable: 0, held: 0 });
    await expectIntegrity(at.fixture);
  },
);

describe('A payout and a refund of its order at the same time', () => {
  long('leave paid and owed amounts in balance', async () => {
    const { at } = stage;
    for (let round = 0; round < 5; round++) {
      const { person, orders } = await earner(1);
      const [order] = orders;
      const refund = () =>
        at.fixture.api.post(`/orders/${order?.id}/refunds`, { amount: 100_000, reason: 'Asked.' });
      const callers = round % 2 === 0 ? [payOut(person), refund] : [refund, payOut(person)];
      const replies = await behindLock(at.fixture.store, rowsOf(person.id), callers);
      expect(replies.map(({ status }) => status)).toContain(201);
      const { paid, payable, held } = await at.balances(person);
      expect([paid + payable, held]).toEqual([0, 0]);
      await expectIntegrity(at.fixture);
    }
  });

  long('control: cancelling commissions that were read as unpaid cancels paid ones', async () => {
    const { at } = stage;
    const { person } = await earner(1);
    const { database } = at.fixture.store;
    // The constraint would refuse the wrong row.
    await database.query('alter table commissions drop constraint commissions_paid');
    const pay = transaction(at.fixture.store, async (client) => {
      await client.query('select id from commissions where affiliate_id = $1', [person.id]);
      await client.query('update commissions set paid_at = now() where affiliate_id = $1', [
        person.id,
      ]);
      return true;
    });
    const cancel = transaction(at.fixture.store, async (client) => {
      await client.query(
        `update commissions set status = 'cancelled', cancellation = 'order'
          where id in (select id from commissions where affiliate_id = $1 and paid_at is null)`,
        [person.id],
      );
      return true;
    });
    await behindLock(at.fixture.store, rowsOf(person.id), [pay, cancel]);
    const { rows } = await database.query(
      'select status, paid_at is not null as paid from commissions where affiliate_id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ status: 'cancelled', paid: true }]);
    await database.query(
      `update commissions set status = 'added', cancellation = null where affiliate_id = $1`,
      [person.id],
    );
    await database.query(
      `alter table commissions add constraint commissions_paid
         check (paid_at is null or status = 'added')`,
    );
  });
});

describe('A change of a commission by hand and a change of its order wait for each other', () => {
  const byHand = { commission: 50_000, reason: 'A promise.' };
  long.each([
    ['another quantity', { quantity: 2 }, byHand],
    ['another total', { grand_total: 70_000 }, byHand],
    ['its completion', { status: 'completed' }, byHand],
    ['its end', { status: 'cancelled' }, { status: 'added' }],
    ['another quantity', { quantity: 2 }, { status: 'cancelled' }],
  ])('with %s', async (_, ofOrder, ofCommission) => {
    const { at } = stage;
    for (const first of ['order', 'commission']) {
      const sold = await at.sell(await at.newCourse({ tiers: percentages(20, 10) }));
      const [row] = await at.ledger(sold);
      const order = () => at.fixture.api.patch(`/orders/${sold.id}`, ofOrder);
      const commission = () => at.adjust(row ?? { id: 0 }, ofCommission);
      const callers = first === 'order' ? [order, commission] : [commission, order];
      const lock = `select from orders where id = ${sold.id} for update`;
      const replies = await behindLock(at.fixture.store, lock, callers);
      expect(replies.map(({ status }) => status)).toContain(200);
      await expectIntegrity(at.fixture);
    }
  });
});

test('20 parallel orders of one seller all pay their commissions', async () => {
  const { at } = stage;
  const sell = () => at.fixture.newOrder({ product_id: product, affiliate_id: at.seller.id });
  const before = (await at.balances(at.seller)).pending;
  await Promise.all(times(20, sell).map((call) => call()));
  expect((await at.balances(at.seller)).pending - before).toBe(20 * 20_000);
  await expectIntegrity(at.fixture);
});
