import { afterAll, describe, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { sendRefunds } from '../../../src/jobs/send-refunds.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { recordReversal, useTill } from './till.ts';

const opened = useTill('midtrans');
afterAll(() => expectIntegrity(opened.till));

/** An order whose payment the bank took back while a former version ran. */
async function reversed() {
  const { till } = opened;
  const paid = await till.paid();
  till.store.clock.advance(300);
  till.provider.decline(paid.reference);
  till.lose();
  return paid;
}

async function recorded() {
  const paid = await reversed();
  await recordReversal(opened.till, paid.reference);
  return paid;
}

async function migrate() {
  await opened.till.store.database.query('delete from backfills');
  await runBackfills(opened.till.store.database);
}

/** Sets the state in which a former version left the refunds of an order. */
const leaveRefunds = (order_id: number, state: 'failed' | 'requested') =>
  opened.till.store.database.query(
    `update provider_refunds set state = $2, error = null, paid_by_hand_at = null,
            due_at = case when $2 = 'requested' then created_at end
      where refund_id in (select id from refunds where order_id = $1)`,
    [order_id, state],
  );

async function paidAmount(reference: string) {
  const { rows } = await opened.till.store.database.query<{ paid_amount: number }>(
    'select paid_amount::int from payment_sessions where reference = $1',
    [reference],
  );
  return rows[0]?.paid_amount;
}

async function cancel(id: number) {
  for (const status of ['in-progress', 'cancelled']) {
    await opened.till.fixture.api.patch(`/orders/${id}`, { status });
  }
}

describe('A reversal that a former version recorded', () => {
  test('is confirmed by the provider after a migration, and reported no second time', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    const before = await till.unexpected(id);
    for (let time = 0; time < 2; time++) {
      await migrate();
      await till.later(0);
      expect(await paidAmount(reference)).toBe(0);
    }
    expect(await till.unexpected(id)).toEqual(before);
    expect(await till.events(id)).toEqual([]);
    expect(await till.refund(id)).toMatchObject({ state: 'paid_by_hand', amount: till.price });
  });

  test.each(['failed', 'requested'] as const)(
    'settles a refund that a former version left %s, and sends no money',
    async (state) => {
      const { till } = opened;
      const { id, reference } = await recorded();
      await cancel(id);
      await leaveRefunds(id, state);
      await migrate();
      await till.later(0);
      await till.later(3600);
      const refund = { state: 'paid_by_hand', amount: till.price };
      expect(await till.refunds(id)).toMatchObject([refund]);
      expect(till.provider.books(reference)).toMatchObject({ refunds: 0 });
      expect(await till.events(id)).toEqual(['order.refund-created']);
    },
  );

  test('settles a refund also if an earlier migration emptied the payment', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    await till.refund(id, 1000);
    await leaveRefunds(id, 'failed');
    await till.store.database.query(
      'update payment_sessions set paid_amount = 0 where reference = $1',
      [reference],
    );
    await migrate();
    await till.later(0);
    expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: 1000 }]);
  });

  test('lets a refund that is sent before the look-up move no money', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    await migrate();
    expect(await till.refund(id)).toMatchObject({ state: 'requested' });
    await sendRefunds(await till.store.services());
    await till.later(0);
    expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
    expect(till.provider.books(reference)).toMatchObject({ refunds: 0 });
  });

  test('is looked up again until the provider answers', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    await cancel(id);
    await leaveRefunds(id, 'failed');
    await migrate();
    await till.store.database.query(
      'update payment_sessions set check_at = null where reference <> $1',
      [reference],
    );
    till.provider.fail('look', 'dropped');
    await till.later(0);
    expect(await paidAmount(reference)).toBe(till.price);
    await till.later(3600);
    expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand' }]);
  });

  test('is closed after a migration if the payment came again, and its order stays paid', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    till.provider.pay(reference);
    till.lose();
    await migrate();
    await till.later(0);
    expect(await paidAmount(reference)).toBe(till.price);
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
    expect(await till.refund(id)).toMatchObject({ state: 'requested', amount: till.price });
  });

  test('settles the refund of a cancelled order whose payment came again, which is listed', async () => {
    const { till } = opened;
    const { id, reference } = await recorded();
    await cancel(id);
    await leaveRefunds(id, 'failed');
    till.provider.pay(reference);
    till.lose();
    await migrate();
    await till.later(0);
    expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
    expect(await till.unexpected(id)).toMatchObject([
      { reason: 'order_cancelled', status: 'open', amount: till.price },
      { reason: 'reversed', status: 'accepted' },
    ]);
  });
});

test('Money that a former version took for reversed is not refunded again after a refund by hand', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await recordReversal(till, reference);
  await cancel(id);
  await leaveRefunds(id, 'failed');
  const [refund] = await till.refunds(id);
  await till.fixture.api.post(`/refunds/${refund.id}`, { action: 'paid_by_hand' });
  await migrate();
  await till.later(0);
  const [row] = await till.unexpected(id);
  expect(row).toMatchObject({ reason: 'order_cancelled', status: 'open', amount: till.price });
  expect(row.refunded_total).toBe(till.price);
  for (const [action, status] of [
    ['refund', 409],
    ['accept', 200],
  ] as const) {
    const reply = await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action });
    expect(reply.status).toBe(status);
  }
  expect(till.provider.books(reference)).toMatchObject({ refunds: 0 });
});

test('A reversal that a former version missed is found after a migration if a refund has failed', async () => {
  const { till } = opened;
  const { id } = await reversed();
  await cancel(id);
  await leaveRefunds(id, 'failed');
  await till.later(3600);
  expect(await till.unexpected(id)).toEqual([]);
  await migrate();
  await till.later(0);
  expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'open' }]);
  expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
});
