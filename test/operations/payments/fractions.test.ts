import { expect, test } from 'vitest';
import { useTill } from './till.ts';

const opened = useTill('stripe', 'IDR', 0);

test("A refund at the dashboard that is finer than the store's unit leaves a rest that the provider can refund", async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  till.provider.refundByHand(reference, 10_050);
  await till.bring();
  expect(await till.fixture.order(id)).toMatchObject({ refunded_total: 101 });
  expect(await till.refund(id)).toMatchObject({ amount: till.price - 101 });
  await till.later(60);
  expect(till.provider.books(reference)).toMatchObject({
    refunded: (till.price - 101) * 100 + 10_050,
  });
});
