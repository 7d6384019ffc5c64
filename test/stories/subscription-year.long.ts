import { expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { chanceOf } from '../harness/chance.ts';
import { simulate } from './subscription-year.ts';

const opened = useStoreFixture();

test('A year of a store with subscriptions, day by day, leaves every derived figure right', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 100_000);
  process.stdout.write(`seed ${seed}\n`);
  await opened.fixture.set('timezone', 'Europe/Berlin');
  const answers = await simulate(
    opened.fixture,
    { days: 400, calls: 5, checked: 5 },
    chanceOf(seed),
  );
  process.stdout.write(`${JSON.stringify(answers, null, 2)}\n`);
  expect(answers['pay done']).toBeGreaterThan(50);
});
