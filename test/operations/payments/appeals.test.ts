import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('paypal', 'USD', 2);
afterAll(() => expectIntegrity(opened.till));

async function dispute(reference: string, state: 'open' | 'won' | 'lost') {
  const { till } = opened;
  till.provider.dispute?.(reference, state);
  await till.bring(2);
  await till.later(3600);
}

const failedRefunds = async () =>
  (await opened.till.fixture.api.get('/refunds?state=failed')).body.data;

test('The refund of a lost dispute fails once the store wins the appeal', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await dispute(reference, 'lost');
  await dispute(reference, 'open');
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded', amount: till.price }]);
  await dispute(reference, 'won');
  expect(await failedRefunds()).toMatchObject([{ order_id: id, amount: till.price }]);
  expect((await till.events(id)).filter((event) => event === 'order.refund-failed')).toHaveLength(
    1,
  );
  expect(await till.fixture.order(id)).toMatchObject({ status: 'refunded' });
  till.provider.refundByHand(reference, till.price);
  await till.bring();
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded', amount: till.price }]);
});

test('An appeal that is won brings back the money of the dispute, not of other refunds', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  till.provider.refundByHand(reference, 2_000);
  await till.bring();
  await till.refund(id, 1_000);
  await till.later(61);
  till.provider.settleRefunds?.('succeeded');
  await till.bring();
  await dispute(reference, 'lost');
  await dispute(reference, 'won');
  expect(await failedRefunds()).toMatchObject([{ order_id: id, amount: till.price - 3_000 }]);
  await till.fixture.api.post(`/refunds/${(await failedRefunds())[0].id}`, {
    action: 'paid_by_hand',
  });
  expect((await till.refunds(id)).map(({ state }: { state: string }) => state)).toEqual([
    'paid_by_hand',
    'succeeded',
    'succeeded',
  ]);
});

test('A dispute that the store wins leaves refunds at the dashboard as they are', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await dispute(reference, 'open');
  await dispute(reference, 'won');
  for (const part of [1_000, 2_000]) {
    till.provider.refundByHand(reference, part);
    await till.bring();
  }
  await till.refund(id, 4_000);
  await till.later(61);
  till.provider.settleRefunds?.('failed');
  await till.bring();
  for (const seconds of [61, 3700, 22_000]) await till.later(seconds);
  expect(await till.refunds(id)).toMatchObject([
    { state: 'failed', amount: 4_000 },
    { state: 'succeeded', amount: 2_000 },
    { state: 'succeeded', amount: 1_000 },
  ]);
});

test('Unexpected money that a dispute took is to be decided again once the store wins the appeal', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.begin?.(reference);
  await till.bring();
  await till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
  till.provider.pay(reference);
  await till.bring();
  await dispute(reference, 'lost');
  expect(await till.unexpected(id)).toMatchObject([{ status: 'refunded' }]);
  await dispute(reference, 'won');
  expect(await till.unexpected(id)).toMatchObject([{ status: 'open', refunded_total: 0 }]);
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'refund' });
  await till.later(61);
  expect(till.provider.books(reference)).toMatchObject({ refunded: till.price });
});
