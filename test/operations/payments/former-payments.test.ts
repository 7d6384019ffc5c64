import { expect, test } from 'vitest';
import { checkIntegrity } from '../../../src/cli/integrity/index.ts';
import { useTill } from './till.ts';

// The rows are as version 0.0.0 left them.

const opened = useTill('stripe');

const held = 'orders that wait for a payment although a provider has one of them: refund it there';
const unordered = 'received payments without an order, a refund or an unexpected payment';
const stuck = 'orders in review of a wrong amount that was refunded: set them to on-hold';

const query = (text: string, values: unknown[] = []) =>
  opened.till.store.database.query(text, values);

/** The ids that `npm run integrity` names beneath a check. */
async function named(name: string): Promise<number[]> {
  const checks = await checkIntegrity(opened.till.store.database);
  const check = checks.find((each) => each.name === name);
  if (check?.ids === undefined) throw new Error(`There is no check of ${name}.`);
  return check.ids.split(' ').filter(Boolean).map(Number);
}

const patch = (id: number, body: object) => opened.till.fixture.api.patch(`/orders/${id}`, body);

async function letWait(order_id: number) {
  const { rows } = await query('select status from orders where id = $1', [order_id]);
  await query(
    `update orders set status = 'on-hold', paid_at = null, refunded_total = 0 where id = $1`,
    [order_id],
  );
  await query('update refunds set reopened_at = now() where order_id = $1', [order_id]);
  await query(
    `insert into order_history (order_id, at, "from", "to", actor_type) values ($1, now(), $2, 'on-hold', 'key')`,
    [order_id, rows[0].status],
  );
}

test('npm run integrity names orders that wait although the provider has their money, also after a refund of a part', async () => {
  const { till } = opened;
  const whole = await till.paid();
  const part = await till.paid();
  await till.refund(part.id, till.price / 4);
  await till.later(60);
  for (const { id } of [whole, part]) await letWait(id);
  expect(await named(held)).toEqual([whole.id, part.id]);
  expect(await named(unordered)).toHaveLength(2);
  expect((await patch(part.id, { status: 'cancelled' })).status).toBe(200);
  expect(await named(held)).toEqual([whole.id]);
  expect(await named(unordered)).toHaveLength(2);
  for (const { reference } of [whole, part]) till.provider.refundByHand(reference);
  await till.bring();
  expect(await named(held)).toEqual([]);
  expect(await named(unordered)).toEqual([]);
});

test('npm run integrity names an order that another payment paid, once that one is refunded', async () => {
  const { till } = opened;
  const { id } = await till.paid();
  await letWait(id);
  till.store.clock.advance(60);
  till.provider.pay(await till.opened(id));
  await till.bring();
  expect(await named(unordered)).toHaveLength(1);
  await till.refund(id);
  expect(await named(unordered)).toHaveLength(1);
  await query('update payment_sessions set paid_amount = 0 where order_id = $1', [id]);
});

test('npm run integrity names no order that was cancelled with a refund and reopened', async () => {
  const { till } = opened;
  const { id } = await till.paid();
  await patch(id, { status: 'in-progress' });
  expect((await patch(id, { status: 'cancelled' })).status).toBe(200);
  expect((await patch(id, { status: 'on-hold' })).status).toBe(200);
  await query(
    `update provider_refunds set state = 'failed' where refund_id in (select id from refunds where order_id = $1)`,
    [id],
  );
  expect(await named(held)).toEqual([]);
  expect(await named(unordered)).toEqual([]);
});

test('npm run integrity names orders that stay in review although the wrong amount was refunded', async () => {
  const { till } = opened;
  const review = async (amount: number) => {
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference, { amount });
    await till.bring();
    expect((await till.fixture.order(id)).status).toBe('payment-confirm');
    return { id, reference };
  };
  const left = await review(50);
  const undecided = await review(60);
  const byHand = await review(70);
  till.provider.refundByHand(byHand.reference);
  await till.bring();
  expect((await patch(byHand.id, { status: 'payment-confirm' })).status).toBe(200);
  await query(`update unexpected_payments set status = 'refunded' where order_id = $1`, [left.id]);
  expect(undecided.id).toBeGreaterThan(left.id);
  expect(await named(stuck)).toEqual([left.id]);
  expect((await patch(left.id, { status: 'on-hold' })).status).toBe(200);
  expect(await named(stuck)).toEqual([]);
});
