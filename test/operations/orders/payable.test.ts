import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { runJobs } from '../../../src/jobs/index.ts';
import { day, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

beforeAll(() => stage.at.fixture.set('unique_code_enabled', true));
afterAll(() => expectIntegrity(stage.at.fixture));

const change = ({ id }: Pick<Order, 'id'>, body: object) =>
  stage.at.fixture.api.patch(`/orders/${id}`, body);

async function newOrder(fields: object = {}, ordered: object = {}): Promise<Order> {
  const { fixture } = stage.at;
  const { id: product_id } = await fixture.newProduct({ price: 1000, ...fields });
  return fixture.newOrder({ product_id, ...ordered });
}

describe('A changed total of a paid order', () => {
  test.each([
    [0, 0],
    [40_000, 8000],
  ])('changes the commissions, whatever the code was: %d pays %d', async (total, first) => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse());
    expect(order.unique_code).toBeGreaterThan(0);
    await at.change(order, { status: 'completed' });
    expect((await change(order, { grand_total: total })).body.data).toMatchObject({
      unique_code: 0,
      grand_total: total,
      adjustment_total: total - 100_000,
    });
    const rows = await at.ledger(order);
    const earned = rows.filter(({ tier }) => tier === 1).map(({ commission }) => commission);
    expect(earned.reduce((sum, commission) => sum + commission, 0)).toBe(first);
  });

  test('is recorded in the history, with its reason or with both totals', async () => {
    const order = await newOrder({}, { status: 'completed' });
    await change(order, { grand_total: 50 });
    await change(order, { grand_total: 10, reason: 'Agreed on the phone.' });
    await change(order, { grand_total: 10, note: 'The same again.' });
    const { history } = await stage.at.fixture.order(order.id);
    const same = { from: 'completed', to: 'completed' };
    expect(history.slice(2)).toMatchObject([
      { ...same, note: 'Total changed from USD 10.00 to USD 0.50.' },
      { ...same, note: 'Agreed on the phone.' },
    ]);
    expect(history).toHaveLength(4);
  });
});

describe('A quantity that leaves nothing to pay is refused', () => {
  const refused = { status: 400, body: { data: { params: { quantity: expect.any(String) } } } };

  test('if a coupon discounts all of it', async () => {
    const { fixture } = stage.at;
    const discount = { value: 1000, type: 'fixed' };
    await fixture.api.post('/coupons', { code: 'ALL-OF-ONE', discount });
    const order = await newOrder({}, { quantity: 2, coupon_code: 'ALL-OF-ONE' });
    expect(await change(order, { quantity: 1 })).toMatchObject(refused);
    expect((await change(order, { quantity: 3 })).status).toBe(200);
    const said = await change(order, { quantity: 1, grand_total: 0 });
    expect(said).toMatchObject({ status: 200, body: { data: { grand_total: 0 } } });
  });

  test('if an override already reduced it to less: restoring the quantity restores the total', async () => {
    const order = await newOrder({}, { quantity: 10 });
    expect((await change(order, { grand_total: 5000 })).status).toBe(200);
    const before = await stage.at.fixture.order(order.id);
    expect(await change(order, { quantity: 2 })).toMatchObject(refused);
    expect((await change(order, { quantity: 9 })).status).toBe(200);
    const back = await change(order, { quantity: 10 });
    expect(back.body.data.adjustment_total).toBe(before.adjustment_total);
  });
});

test('A quantity is refused if its total, with an earlier override, is above the largest amount', async () => {
  const order = await newOrder({ price: 1_000_000 });
  expect((await change(order, { grand_total: 9_000_000_000_000 })).status).toBe(200);
  expect(await change(order, { quantity: 1000 })).toMatchObject({
    status: 400,
    body: { data: { params: { quantity: 'makes a total that is out of range' } } },
  });
});

describe('An order that costs nothing', () => {
  test('because of its price is paid by transfer once it has a price', async () => {
    const order = await newOrder({ price: 0 });
    expect(order.payment_gateway).toBe('free');
    expect(await change(order, { grand_total: 500 })).toMatchObject({
      status: 409,
      body: { code: 'order_not_unpaid' },
    });
    const goods = { price: 0, type: 'physical' };
    const waiting = await newOrder(goods, { status: 'in-progress' });
    await change(waiting, { status: 'on-hold' });
    const priced = (await change(waiting, { grand_total: 700 })).body.data;
    expect(priced).toMatchObject({ payment_gateway: 'manual', grand_total: 700 });
    expect(priced.unique_code).toBeGreaterThan(0);
  });

  test('because of an override waits for a person, and for its payment once it has a price', async () => {
    const { fixture } = stage.at;
    const order = await newOrder();
    await change(order, { grand_total: 0 });
    const statusLater = async (days: number) => {
      fixture.store.clock.advance(days * day);
      await runJobs(await fixture.store.services(), () => {});
      return (await fixture.order(order.id)).status;
    };
    expect(await statusLater(4)).toBe('on-hold');
    await change(order, { grand_total: 900 });
    expect(await statusLater(2)).toBe('on-hold');
    expect(await statusLater(2)).toBe('cancelled');
  });
});
