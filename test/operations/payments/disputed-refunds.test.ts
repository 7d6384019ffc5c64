import { afterAll, expect, test } from 'vitest';
import { sendRefunds } from '../../../src/jobs/send-refunds.ts';
import { askProvider } from '../../../src/processes/payments/ask-provider.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { toAsk, useTill } from './till.ts';

const opened = useTill('stripe', 'USD', 2);
afterAll(() => expectIntegrity(opened.till));

async function dispute(reference: string, state: 'open' | 'won' | 'lost') {
  opened.till.provider.dispute?.(reference, state);
  await opened.till.bring();
}

/** An order with a refund that Stripe refuses while a dispute is open. */
async function disputed() {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await dispute(reference, 'open');
  await till.refund(id);
  for (const seconds of [61, 22_000, 30 * 86_400]) await till.later(seconds);
  expect(await till.refunds(id)).toMatchObject([{ state: 'requested' }]);
  return { id, reference };
}

test('A refund that waits for a dispute is not given up because the provider is down', async () => {
  const { till } = opened;
  const { id, reference } = await disputed();
  till.provider.fail('refund', 'overloaded');
  await till.later(22_000);
  expect(await till.refunds(id)).toMatchObject([{ state: 'requested' }]);
  await dispute(reference, 'won');
  till.provider.fail('refund', 'overloaded');
  await till.later(22_000);
  await till.later(22_000);
  expect(await till.refunds(id)).toMatchObject([{ state: 'sent' }]);
  till.provider.settleRefunds?.('succeeded');
  till.lose();
  await till.later(22_000);
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded' }]);
});

test('A refund that waits for a dispute counts as made if the store loses', async () => {
  const { till } = opened;
  const { id, reference } = await disputed();
  await dispute(reference, 'lost');
  await till.later(22_000);
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded', amount: till.price }]);
  expect(till.provider.books(reference).refunds).toBe(0);
});

test('A refund that waits for a dispute is sent if the store wins', async () => {
  const { till } = opened;
  const { id, reference } = await disputed();
  await dispute(reference, 'won');
  await till.later(22_000);
  expect(await till.refunds(id)).toMatchObject([{ state: 'sent', amount: till.price }]);
  expect(till.provider.books(reference)).toMatchObject({ refunded: till.price, refunds: 1 });
});

test('A look-up that began before a refund failed does not mark it as made', async () => {
  const { till } = opened;
  const { id } = await till.paid();
  await till.refund(id, 4_000);
  await till.later(61);
  const { asking, access, services } = await toAsk(till, id);
  const look: typeof asking.gateway.look = async (...about) => {
    const seen = await asking.gateway.look(...about);
    till.provider.settleRefunds?.('failed');
    till.lose();
    till.store.clock.advance(61);
    await sendRefunds(services);
    return seen;
  };
  await askProvider({ ...asking, gateway: { ...asking.gateway, look } }, access);
  await till.later(3700);
  expect(await till.refunds(id)).toMatchObject([{ state: 'failed', amount: 4_000 }]);
});

test('An order that was paid with less than its total is refunded in full if a lost dispute takes the payment', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.begin?.(reference);
  await till.bring();
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price + 500 });
  till.provider.pay(reference);
  await till.bring();
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  await dispute(reference, 'lost');
  expect(await till.fixture.order(id)).toMatchObject({
    status: 'refunded',
    refunded_total: till.price + 500,
  });
  expect(await till.refunds(id)).toMatchObject([
    { state: 'manual', amount: 500 },
    { state: 'succeeded', amount: till.price },
  ]);
});
