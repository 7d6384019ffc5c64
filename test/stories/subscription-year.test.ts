import { expect } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { chanceOf } from '../harness/chance.ts';
import { simulate } from './subscription-year.ts';
import { long } from '../harness/long.ts';

const opened = useStoreFixture();

const seed = 20_270_131;

long('Two weeks of a store with subscriptions leaves every derived figure right', async () => {
  await opened.fixture.set('timezone', 'Europe/Berlin');
  const answers = await simulate(
    opened.fixture,
    { days: 14, calls: 3, checked: 7 },
    chanceOf(seed),
  );
  expect(Object.keys(answers).length).toBeGreaterThan(5);
});
