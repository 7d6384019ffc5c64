import { afterAll, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('midtrans');
afterAll(() => expectIntegrity(opened.till));

long.each([
  ['while its page is open', 300],
  ['once its page has closed', 2 * 86_400],
])('a payment that the bank reverses %s is reported once', async (_, after) => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  till.store.clock.advance(after);
  till.provider.decline(reference);
  await till.bring(2);
  const told = [{ reason: 'reversed', status: 'open', amount: till.price }];
  expect(await till.unexpected(id)).toMatchObject(told);
  expect(await till.events(id)).toEqual(['payment.unexpected']);
  expect((await till.fixture.order(id)).status).toBe('completed');
});

/** An order whose payment the bank has reversed. */
async function reversed() {
  const { till } = opened;
  const paid = await till.paid();
  till.store.clock.advance(300);
  till.provider.decline(paid.reference);
  await till.bring(2);
  return paid;
}

async function payAgain(reference: string) {
  const { till } = opened;
  till.provider.pay(reference);
  await till.bring(2);
}

test('A reversed payment that is paid again pays the order that waits for it again', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  for (const status of ['in-progress', 'on-hold']) {
    expect((await till.fixture.api.patch(`/orders/${id}`, { status })).status).toBe(200);
  }
  await payAgain(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
  const refund = await till.refund(id);
  expect(refund).toMatchObject({ state: 'requested', amount: till.price });
});

test('A reversed payment that is paid again keeps its order paid, and can be refunded by the provider', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  await payAgain(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
  expect(await till.refund(id)).toMatchObject({ state: 'requested', amount: till.price });
});

test('A reversed payment that is paid again for a cancelled order is listed, and is reported when it is reversed again', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  for (const status of ['in-progress', 'cancelled']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  expect(await till.refunds(id)).toMatchObject([{ amount: till.price, state: 'paid_by_hand' }]);
  await payAgain(reference);
  expect(await till.unexpected(id)).toMatchObject([
    { reason: 'order_cancelled', status: 'open', amount: till.price },
    { reason: 'reversed', status: 'accepted' },
  ]);
  till.provider.decline(reference);
  await till.bring(2);
  expect(await till.unexpected(id)).toMatchObject([
    { reason: 'order_cancelled' },
    { reason: 'reversed', status: 'open' },
  ]);
});

test('Money that comes again through a reversed payment is found without callbacks, also while another page is open', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  for (const status of ['in-progress', 'on-hold']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  const other = await till.opened(id);
  till.provider.pay(reference);
  await till.later(240);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  await till.later(240);
  expect(till.provider.books(other)).toMatchObject({ payable: false });
});

test('A refund of an order whose payment was reversed sends no money, and asks nobody to send any', async () => {
  const { till } = opened;
  const { id } = await reversed();
  const now = till.store.clock.now().toISOString();
  const refund = { state: 'paid_by_hand', amount: till.price, paid_by_hand_at: now };
  expect(await till.refund(id)).toMatchObject(refund);
  expect(await till.refunds(id)).toMatchObject([refund]);
  const { body } = await till.fixture.api.get('/overview');
  expect(body.data.to_do).toMatchObject({ refunds_by_hand: 0, refunds_failed: 0 });
});

test('Money of another amount that was reversed pays nothing when it is accepted, and the order waits again', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
  await payAgain(reference);
  till.provider.decline(reference);
  await till.bring(2);
  const rows = await till.unexpected(id);
  const amount = rows.find(({ reason }: { reason: string }) => reason === 'amount');
  const resolve = (action: string) =>
    till.fixture.api.post(`/payments/unexpected/${amount?.id}`, { action });
  expect(await resolve('refund')).toMatchObject({ status: 409, body: { code: 'not_refundable' } });
  expect((await resolve('accept')).status).toBe(200);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', paid_at: null });
});

test('An order with two payments of other amounts waits for a person until both are decided', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const references = [await till.opened(id)];
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
  references.push(await till.opened(id));
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 3 });
  for (const reference of references) await payAgain(reference);
  const [newer, older] = await till.unexpected(id);
  const refund = (row: { id: number } | undefined) =>
    till.fixture.api.post(`/payments/unexpected/${row?.id}`, { action: 'refund' });
  expect((await refund(older)).status).toBe(200);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
  expect((await refund(newer)).status).toBe(200);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
});

test('Money that came again for a cancelled order is refunded whole by the provider', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  for (const status of ['in-progress', 'cancelled']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  await payAgain(reference);
  const [row] = await till.unexpected(id);
  const reply = await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'refund' });
  expect(reply.status).toBe(200);
  await till.later(120);
  expect(till.provider.books(reference)).toMatchObject({ refunded: till.price });
});

test('A reopened order that a reversed payment pays again does not forget that payment', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  const move = (status: string) => till.fixture.api.patch(`/orders/${id}`, { status });
  for (const status of ['in-progress', 'cancelled', 'on-hold']) await move(status);
  await payAgain(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  await move('in-progress');
  expect(await move('on-hold')).toMatchObject({ status: 409, body: { code: 'order_has_payment' } });
  expect(await till.refund(id)).toMatchObject({ state: 'requested', amount: till.price });
});

test('Money that came again for an order that was paid otherwise is closed by a refund at the dashboard', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  for (const status of ['in-progress', 'on-hold', 'completed']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  await payAgain(reference);
  expect((await till.unexpected(id))[0]).toMatchObject({ reason: 'order_paid', status: 'open' });
  till.provider.refundByHand(reference);
  await till.bring();
  expect((await till.unexpected(id))[0]).toMatchObject({
    reason: 'order_paid',
    status: 'refunded',
  });
});

test.each(['cancelled', 'refunded'])(
  'The page of a reversed payment is to be closed once its order is %s',
  async (status) => {
    const { till } = opened;
    const { id, reference } = await reversed();
    for (const next of status === 'cancelled' ? ['in-progress', status] : [status]) {
      await till.fixture.api.patch(`/orders/${id}`, { status: next });
    }
    const { rows } = await till.store.database.query(
      'select superseded_at is not null as superseded from payment_sessions where reference = $1',
      [reference],
    );
    expect(rows).toEqual([{ superseded: true }]);
  },
);

test('A part of a reversed payment cannot be refunded until the payment comes again', async () => {
  const { till } = opened;
  const { id, reference } = await reversed();
  const refundPart = () => till.fixture.api.post(`/orders/${id}/refunds`, { amount: 1000 });
  expect(await refundPart()).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_paid', data: { left: till.price } },
  });
  expect(await till.refunds(id)).toEqual([]);
  await payAgain(reference);
  expect(await refundPart()).toMatchObject({ status: 201 });
  expect(await till.refunds(id)).toMatchObject([{ state: 'requested', amount: 1000 }]);
});

test.each(['is about to be sent', 'has failed'])(
  'A refund that %s is settled by a reversal, and is sent once the payment comes again',
  async (before) => {
    const { till } = opened;
    const { id, reference } = await till.paid();
    await till.refund(id, 1000);
    if (before === 'has failed') {
      await till.store.database.query(
        `update provider_refunds set state = 'failed', error = 'refused', due_at = null
          where refund_id in (select id from refunds where order_id = $1)`,
        [id],
      );
    }
    till.provider.decline(reference);
    await till.bring(2);
    expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: 1000 }]);
    await till.later(120);
    expect(await till.events(id)).toEqual(['order.refund-created', 'payment.unexpected']);
    await payAgain(reference);
    expect(await till.refunds(id)).toMatchObject([{ state: 'requested', paid_by_hand_at: null }]);
  },
);

test('An order that waits again after a reversal counts no earlier refund of a part', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, 1000);
  till.provider.decline(reference);
  await till.bring(2);
  for (const status of ['in-progress', 'on-hold']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', refunded_total: 0 });
  const other = await till.opened(id);
  till.provider.pay(other);
  await till.bring();
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  const refund = await till.refund(id);
  expect(refund).toMatchObject({ state: 'requested', amount: till.price });
});

test('The reversal of a smaller payment that was accepted returns only that payment', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
  await payAgain(reference);
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  till.provider.decline(reference);
  await till.bring(2);
  await till.refund(id);
  const refunds: unknown[] = await till.refunds(id);
  expect(refunds).toHaveLength(2);
  for (const state of ['paid_by_hand', 'manual']) {
    expect(refunds).toContainEqual(expect.objectContaining({ state, amount: till.price }));
  }
});

test('A refund after the reversal of a smaller payment leaves the rest to be paid by hand', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: 300_000 });
  await till.bring();
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  till.provider.decline(reference);
  await till.bring(2);
  await till.refund(id);
  const refunds: unknown[] = await till.refunds(id);
  expect(refunds).toHaveLength(2);
  for (const [state, amount] of [
    ['paid_by_hand', 300_000],
    ['manual', till.price - 300_000],
  ]) {
    expect(refunds).toContainEqual(expect.objectContaining({ state, amount }));
  }
});

test('The reversal of another amount names the amount that had come', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: till.price - 1000 });
  await till.bring();
  till.provider.decline(reference);
  await till.bring();
  const came = { amount: till.price - 1000 };
  expect(await till.unexpected(id)).toMatchObject([
    { reason: 'reversed', ...came },
    { reason: 'amount', ...came },
  ]);
});

test('A refund that the provider was making when the bank took the payment back, and that then fails, is settled', async () => {
  const { till } = opened;
  const { id } = await reversed();
  await till.refund(id);
  const ofOrder = 'session_id in (select id from payment_sessions where order_id = $1)';
  await till.store.database.query(
    `update provider_refunds set state = 'sent', error = null, paid_by_hand_at = null, due_at = $2 where ${ofOrder}`,
    [id, till.store.clock.now()],
  );
  // Payments of the other tests are looked up before.
  for (let n = 0; n < 4; n++) await till.later(61);
  expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
});

test.each([
  ['of a former version', 'pays its order', (amount: number) => amount, ['in-progress', 'on-hold']],
  ['that a former version left after a rollback', 'keeps its order paid', () => 0, []],
])(
  'A reversed payment %s, which came again unnoticed, %s after a migration',
  async (_, __, left, statuses) => {
    const { till } = opened;
    const { id, reference } = await reversed();
    for (const status of statuses) await till.fixture.api.patch(`/orders/${id}`, { status });
    till.provider.pay(reference);
    till.lose();
    await till.store.database.query(
      'update payment_sessions set paid_amount = $2, check_at = null where reference = $1',
      [reference, left(till.price)],
    );
    await till.later(3600);
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'open' }]);
    await till.store.database.query('update unexpected_payments set created_at = now()');
    await runBackfills(till.store.database);
    await till.later(0);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
    expect(await till.refund(id)).toMatchObject({ state: 'requested', amount: till.price });
  },
);
