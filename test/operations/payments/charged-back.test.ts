import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { PayPalServer } from '../../providers/paypal.ts';
import { breakRow } from '../../harness/break.ts';
import { askProvider } from '../../../src/processes/payments/ask-provider.ts';
import { toAsk, useTill } from './till.ts';

const opened = useTill('paypal', 'USD', 2);
afterAll(() => expectIntegrity(opened.till));

function paypal(): PayPalServer {
  const { provider } = opened.till;
  if (provider instanceof PayPalServer) return provider;
  throw new Error('The till has another provider.');
}

async function settle() {
  const { till } = opened;
  for (const seconds of [61, 130, 3700]) {
    await till.later(seconds);
    paypal().settleRefunds('succeeded');
    await till.bring();
  }
}

/** An order of which a part was refunded before a bank took its payment back. */
async function partlyRefunded() {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, 2_000);
  await settle();
  paypal().chargeBack(reference);
  await till.bring();
  return { id, reference };
}

async function comesBack(reference: string) {
  paypal().undoChargeBack(reference);
  await opened.till.bring();
  await settle();
}

test('A part that was refunded before a charge-back counts again if the same money pays the order anew', async () => {
  const { till } = opened;
  const { id, reference } = await partlyRefunded();
  for (const status of ['in-progress', 'on-hold']) {
    await till.fixture.api.patch(`/orders/${id}`, { status });
  }
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', refunded_total: 0 });
  await comesBack(reference);
  expect(await till.fixture.order(id)).toMatchObject({
    status: 'completed',
    refunded_total: 2_000,
  });
  expect(await till.refund(id)).toMatchObject({ amount: till.price - 2_000, state: 'requested' });
  await settle();
  expect(paypal().books(reference)).toMatchObject({ refunded: till.price, refunds: 2 });
});

test('A part that was refunded before a charge-back still counts if the order stayed paid', async () => {
  const { till } = opened;
  const { id, reference } = await partlyRefunded();
  await comesBack(reference);
  expect(await till.fixture.order(id)).toMatchObject({
    status: 'completed',
    refunded_total: 2_000,
  });
  await till.refund(id);
  await settle();
  expect(paypal().books(reference)).toMatchObject({ refunded: till.price, refunds: 2 });
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
});

/** A payment that its order could not be paid with, because of a bug. */
async function refused() {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  const mend = await breakRow(till.store, 'orders', id);
  paypal().pay(reference);
  await till.bring();
  await mend();
  const [row] = await till.unexpected(id);
  expect(row).toMatchObject({ reason: 'order_refused', status: 'open' });
  return { id, reference, path: `/payments/unexpected/${row.id}` };
}

test('A payment that comes back long after its page closed is found although PayPal is down for a while', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  paypal().chargeBack(reference);
  await till.bring();
  await till.later(12 * 86_400);
  paypal().undoChargeBack(reference);
  for (let looks = 0; looks < 2; looks++) paypal().fail('look', 'overloaded');
  await till.bring();
  for (const seconds of [61, 3700, 3700]) await till.later(seconds);
  expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
});

test('An order is not cancelled while money that it refused is undecided', async () => {
  const { till } = opened;
  const { id, path } = await refused();
  for (let days = 0; days < 20; days += 5) await till.later(5 * 86_400);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
  await till.fixture.api.post(path, { action: 'refund' });
  await till.later(61);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'cancelled' });
});

test('Unexpected money that was paid back by hand pays no order when it comes again after a reversal', async () => {
  const { till } = opened;
  const { id, reference, path } = await refused();
  await till.fixture.api.post(path, { action: 'paid_by_hand' });
  paypal().chargeBack(reference);
  await till.bring();
  await comesBack(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', paid_at: null });
  expect(await till.unexpected(id)).toMatchObject([
    { reason: 'reversed', status: 'accepted' },
    { reason: 'order_refused', status: 'refunded' },
  ]);
});

test('A part of unexpected money that the dashboard returned becomes a refund of the order that the money pays later', async () => {
  const { till } = opened;
  const { id, reference } = await refused();
  paypal().refundByHand(reference, 2_000);
  await till.bring();
  paypal().chargeBack(reference);
  await till.bring();
  await comesBack(reference);
  expect(await till.fixture.order(id)).toMatchObject({
    status: 'completed',
    refunded_total: 2_000,
  });
  await till.refund(id);
  await settle();
  expect(paypal().books(reference)).toMatchObject({ refunded: till.price, refunds: 2 });
});

test('A refund of unexpected money is not sent if the money was reversed, came again and paid the order', async () => {
  const { till } = opened;
  const { id, reference, path } = await refused();
  await till.fixture.api.post(path, { action: 'refund' });
  paypal().fail('refund', 'overloaded');
  await till.later(1);
  paypal().chargeBack(reference);
  await till.bring();
  await comesBack(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  expect(paypal().books(reference)).toMatchObject({ paid: till.price, refunded: 0 });
});

test('A look-up that began before a charge-back and ends after it does not undo it', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  const { asking, access } = await toAsk(till, id);
  const http: typeof asking.http = async (url, init) => {
    if (url.includes('/customer/disputes') && !paypal().isChargedBack(reference)) {
      paypal().chargeBack(reference);
      await till.bring();
    }
    return asking.http(url, init);
  };
  await askProvider({ ...asking, http }, access);
  expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'open' }]);
});
