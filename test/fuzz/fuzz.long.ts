import { afterAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { useScene } from '../contract/scene.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { type Counts, fuzz } from './fuzz.ts';
import { showCounts } from './table.ts';

const results: Counts[] = [];
afterAll(() => showCounts(results));

describe.each(endpoints)('$id', (endpoint) => {
  // A store for each endpoint, so that endpoints don't affect each other.
  const stage = useScene();
  test('answers 1,000 arbitrary inputs as documented', async () => {
    const counts = await fuzz(stage.scene, endpoint, 1000);
    results.push(counts);
    expect(counts.failures.slice(0, 5)).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(0);
    await expectIntegrity(stage.scene);
  });
});
