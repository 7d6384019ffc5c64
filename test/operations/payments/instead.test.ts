import { expect, test } from 'vitest';
import { Till } from './till.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

async function withTill(check: (till: Till) => Promise<void>): Promise<void> {
  const till = await Till.open('midtrans', 'IDR', 0, opened.counter.fixture);
  try {
    await check(till);
  } finally {
    await till.provider.close();
  }
}

async function reverse(till: Till, reference: string) {
  till.store.clock.advance(300);
  till.provider.decline(reference);
  await till.bring();
}

async function letWait(till: Till, id: number) {
  for (const status of ['in-progress', 'on-hold']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
}

const assign = (transfer: string, order_id: number) =>
  opened.counter.resolve(transfer, { action: 'assign', order_id });

/** Pays an order twice: its earlier page could not be closed. */
async function paidTwice(till: Till) {
  const { id } = await till.newOrder();
  const first = await till.opened(id);
  till.provider.fail('cancel', 'dropped');
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price + 10_000 });
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price });
  const second = await till.opened(id);
  for (const reference of [first, second]) {
    till.provider.pay(reference);
    await till.bring();
  }
  const [other] = await till.unexpected(id);
  const path = `/payments/unexpected/${other.id}`;
  const accept = () => till.fixture.api.post(path, { action: 'accept' });
  return { id, first, second, accept };
}

async function expectRefunded(till: Till, id: number, reference: string) {
  await till.refund(id);
  for (const seconds of [61, 130, 3700]) await till.later(seconds);
  expect(till.provider.books(reference)).toMatchObject({ refunded: till.price, refunds: 1 });
}

test('A transfer is assigned after a reversal once the order waits, and returned by hand with it', () =>
  withTill(async (till) => {
    const { id, reference } = await till.paid();
    await reverse(till, reference);
    const transfer = opened.counter.transfer(till.price);
    await opened.counter.bring();
    expect(await assign(transfer, id)).toMatchObject({
      status: 409,
      body: { code: 'order_payment_reversed' },
    });
    await letWait(till, id);
    expect((await assign(transfer, id)).status).toBe(200);
    await till.refund(id, 100_000);
    await till.refund(id);
    const refunds: unknown[] = await till.refunds(id);
    expect(refunds).toMatchObject([
      { state: 'manual', amount: till.price - 100_000 },
      { state: 'manual', amount: 100_000 },
    ]);
  }));

test('After a reversal, an order with an assigned transfer can’t be refunded, cancelled or deleted until it was on hold', () =>
  withTill(async (till) => {
    const { id, reference } = await till.paid();
    const transfer = opened.counter.transfer(till.price);
    await opened.counter.bring();
    await assign(transfer, id);
    await reverse(till, reference);
    const [row] = await till.unexpected(id);
    const { api } = till.fixture;
    await api.patch(`/orders/${id}`, { status: 'in-progress' });
    const refused = { status: 409, body: { code: 'order_payment_reversed' } };
    expect(await api.post(`/orders/${id}/refunds`, {})).toMatchObject(refused);
    expect(await api.patch(`/orders/${id}`, { status: 'cancelled' })).toMatchObject(refused);
    expect(await api.delete(`/orders/${id}`)).toMatchObject(refused);
    const close = () => api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
    expect(await close()).toMatchObject(refused);
    await letWait(till, id);
    expect((await close()).status).toBe(200);
    expect((await assign(transfer, id)).status).toBe(200);
    expect(await till.refund(id)).toMatchObject({ state: 'manual', amount: till.price });
  }));

test('A second payment is accepted after the reversal of the first once the order waits, and refunded with it', () =>
  withTill(async (till) => {
    const { id, first, second, accept } = await paidTwice(till);
    await reverse(till, first);
    expect(await accept()).toMatchObject({ status: 409, body: { code: 'order_payment_reversed' } });
    await letWait(till, id);
    expect(await accept()).toMatchObject({ status: 200 });
    await expectRefunded(till, id, second);
  }));

test('A payment that was accepted before the first one was reversed is decided again, and refunded with the order', () =>
  withTill(async (till) => {
    const { id, first, second, accept } = await paidTwice(till);
    await accept();
    await reverse(till, first);
    const { api } = till.fixture;
    expect(await api.post(`/orders/${id}/refunds`, {})).toMatchObject({
      status: 409,
      body: { code: 'order_payment_reversed' },
    });
    await letWait(till, id);
    expect(await till.unexpected(id)).toMatchObject([
      { reason: 'reversed', status: 'open' },
      { reason: 'order_paid', status: 'open' },
    ]);
    expect((await accept()).status).toBe(200);
    await expectRefunded(till, id, second);
  }));

test('Accepted money that was returned at the dashboard no longer holds up a refund', () =>
  withTill(async (till) => {
    const { id, first, second, accept } = await paidTwice(till);
    await accept();
    till.provider.refundByHand(second);
    await till.bring();
    await reverse(till, first);
    expect(await till.refund(id)).toMatchObject({ state: 'paid_by_hand', amount: till.price });
  }));

test('A part of accepted money that the dashboard returned becomes a refund of the order that the money pays later', () =>
  withTill(async (till) => {
    const { id, first, second, accept } = await paidTwice(till);
    await accept();
    till.provider.refundByHand(second, 100_000);
    await till.bring();
    await reverse(till, first);
    await letWait(till, id);
    await accept();
    for (const seconds of [61, 130]) await till.later(seconds);
    expect(await till.fixture.order(id)).toMatchObject({
      status: 'completed',
      refunded_total: 100_000,
    });
    expect(await till.refund(id)).toMatchObject({ amount: till.price - 100_000 });
  }));

test('Accepted money that the bank took back and that comes again is listed once', () =>
  withTill(async (till) => {
    const { id } = await till.newOrder();
    const first = await till.opened(id);
    till.provider.fail('cancel', 'dropped');
    await till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
    till.provider.pay(first);
    await till.bring();
    const [row] = await till.unexpected(id);
    await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
    await reverse(till, first);
    await till.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' });
    const second = await till.opened(id);
    for (const reference of [second, first]) {
      till.provider.pay(reference);
      await till.bring();
    }
    await reverse(till, second);
    await letWait(till, id);
    const open = await till.fixture.api.get(`/payments/unexpected?order_id=${id}&status=open`);
    expect(open.body.data).toMatchObject([{ reason: 'reversed' }, { reason: 'order_paid' }]);
  }));
