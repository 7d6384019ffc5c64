import { describe, expect, test } from 'vitest';
import { useTill } from './till.ts';

// One run of the job asks about a few payments only, so these tests have stores without others.

describe('At Stripe,', () => {
  const opened = useTill('stripe');

  test('a payment that stays pending is asked about for a month', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.begin(reference);
    await till.bring();
    for (let day = 0; day < 20; day += 2) await till.later(2 * 86_400);
    till.provider.pay(reference);
    till.lose();
    await till.later(3601);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  });
});

describe('At Midtrans,', () => {
  const opened = useTill('midtrans');

  test('a reversed payment that its provider answers with errors is no longer asked about once it is over', async () => {
    const { till } = opened;
    const { reference } = await till.paid();
    till.store.clock.advance(300);
    till.provider.decline(reference);
    await till.bring(2);
    const nextCheck = async () => {
      const { rows } = await till.store.database.query<{ check_at: string | null }>(
        'select check_at from payment_sessions where reference = $1',
        [reference],
      );
      return rows[0]?.check_at;
    };
    for (let faults = 0; faults < 50; faults++) till.provider.fail('look', 'refused');
    await till.later(3600);
    expect(await nextCheck()).not.toBeNull();
    await till.later(9 * 86_400);
    expect(await nextCheck()).toBeNull();
  });
});
