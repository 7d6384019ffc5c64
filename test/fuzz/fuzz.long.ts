import { afterAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/resources/index.ts';
import { useScene } from '../contract/scene.ts';
import { type Counts, fuzz } from './fuzz.ts';

const results: (Counts & { id: string })[] = [];

describe.each(endpoints)('$id', (endpoint) => {
  // A store of its own: what one endpoint is asked is nothing to another.
  const stage = useScene();
  test('takes anything: 1,000 inputs', async () => {
    const counts = await fuzz(stage.scene, endpoint, 1000);
    results.push({ id: endpoint.id, ...counts });
    expect(counts.failures.slice(0, 5)).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(0);
  });
});

afterAll(() => {
  const sum = (count: (result: Counts) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  console.table({
    endpoints: results.length,
    inputs: sum(({ inputs }) => inputs),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    failures: sum(({ failures }) => failures.length),
  });
});
