import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('midtrans');
afterAll(() => expectIntegrity(opened.till));

test.each([
  ['while its page is open', 300],
  ['once its page has closed', 2 * 86_400],
])('a payment that the bank reverses %s is reported once', async (_, after) => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  till.store.clock.advance(after);
  till.provider.decline(reference);
  await till.bring(2);
  const told = [{ reason: 'reversed', status: 'open', amount: till.price }];
  expect(await till.unexpected(id)).toMatchObject(told);
  expect(await till.events(id)).toEqual(['payment.unexpected']);
  expect((await till.fixture.order(id)).status).toBe('completed');
});
