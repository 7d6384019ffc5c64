import { expect, test } from 'vitest';
import { Till } from './till.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

test.each(['after', 'before'])(
  'A transfer that is assigned %s the reversal of a payment is returned by hand with the order',
  async (when) => {
    const { counter } = opened;
    const till = await Till.open('midtrans', 'IDR', 0, counter.fixture);
    try {
      const { id, reference } = await till.paid();
      const reverse = async () => {
        till.store.clock.advance(300);
        till.provider.decline(reference);
        await till.bring();
      };
      if (when === 'after') await reverse();
      const instead = counter.transfer(till.price);
      await counter.bring();
      const assigned = await counter.resolve(instead, { action: 'assign', order_id: id });
      expect(assigned.status).toBe(200);
      if (when === 'before') await reverse();
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
  },
);
