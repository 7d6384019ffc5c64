import { expect, test } from 'vitest';
import { useShop } from '../harness/shop.ts';
import { chanceOf, simulate } from './subscription-year.ts';

const opened = useShop();

const seed = 20_270_131;

test('Two weeks of a store with subscriptions leaves every derived figure right', async () => {
  await opened.shop.set('timezone', 'Europe/Berlin');
  const answers = await simulate(opened.shop, { days: 14, calls: 3, checked: 7 }, chanceOf(seed));
  expect(Object.keys(answers).length).toBeGreaterThan(5);
});
