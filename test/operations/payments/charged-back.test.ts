import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { PayPalServer } from '../../providers/paypal.ts';
import { useTill } from './till.ts';

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
