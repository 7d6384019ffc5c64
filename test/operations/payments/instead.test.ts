import { expect, test } from 'vitest';
import { Till } from './till.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

test('A transfer is assigned after a reversal once the order waits, and returned by hand with it', async () => {
  const { counter } = opened;
  const till = await Till.open('midtrans', 'IDR', 0, counter.fixture);
  try {
    const { id, reference } = await till.paid();
    till.store.clock.advance(300);
    till.provider.decline(reference);
    await till.bring();
    const instead = counter.transfer(till.price);
    await counter.bring();
    const assign = () => counter.resolve(instead, { action: 'assign', order_id: id });
    expect(await assign()).toMatchObject({ status: 409, body: { code: 'order_not_payable' } });
    for (const status of ['in-progress', 'on-hold']) {
      await till.fixture.api.patch(`/orders/${id}`, { status });
    }
    expect((await assign()).status).toBe(200);
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
