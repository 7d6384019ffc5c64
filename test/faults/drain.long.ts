import { expect, test } from 'vitest';
import { drain } from './drain.ts';

test('ten thousand messages go out once each, and webhooks get their events meanwhile', async () => {
  const outcome = await drain(10_000);
  console.table([outcome]);
  expect(outcome.arrived).toBe(10_000);
  expect(outcome.delivered).toBe(outcome.turns);
});
