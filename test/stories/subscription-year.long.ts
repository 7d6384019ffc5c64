import { expect, test } from 'vitest';
import { useShop } from '../harness/shop.ts';
import { chanceOf, simulate } from './subscription-year.ts';

const opened = useShop();

test('A year of a store with subscriptions, day by day, leaves every derived figure right', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 100_000);
  process.stdout.write(`seed ${seed}\n`);
  await opened.shop.set('timezone', 'Europe/Berlin');
  const answers = await simulate(opened.shop, { days: 400, calls: 5, checked: 5 }, chanceOf(seed));
  process.stdout.write(`${JSON.stringify(answers, null, 2)}\n`);
  expect(answers['pay done']).toBeGreaterThan(50);
});
