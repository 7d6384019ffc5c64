import { expect, test } from 'vitest';
import { killUnderLoad } from './kill.ts';

test('PostgreSQL is killed ten times under load', async () => {
  const outcome = await killUnderLoad({ kills: 10, callers: 16 });
  console.table({ 'ten kills': outcome });
  expect(outcome.unavailable).toBeGreaterThan(0);
});
