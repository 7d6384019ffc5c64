import { expect, test } from 'vitest';
import { Till } from './till.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

test('A transfer that is assigned to an order whose payment was reversed is returned by hand with the order', async () => {
  const { counter } = opened;
  const till = await Till.open('midtrans', 'IDR', 0, counter.fixture);
  try {
    const { id, reference } = await till.paid();
    till.store.clock.advance(300);
    till.provider.decline(reference);
    await till.bring();
    const instead = counter.transfer(till.price);
    await counter.bring();
    const assigned = await counter.resolve(instead, { action: 'assign', order_id: id });
    expect(assigned.status).toBe(200);
    await till.refund(id, 100_000);
    await till.refund(id);
    const refunds: unknown[] = await till.refunds(id);
    expect(refunds).toMatchObject([
      { state: 'manual', amount: till.price - 100_000 },
      { state: 'manual', amount: 100_000 },
    ]);
  } finally {
    await till.provider.close();
  }
});
