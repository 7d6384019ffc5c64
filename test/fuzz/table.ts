import type { Counts } from './fuzz.ts';

export function showCounts(results: readonly Counts[]): void {
  const sum = (count: (result: Counts) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  console.table({
    endpoints: new Set(results.map(({ id }) => id)).size,
    inputs: sum(({ inputs }) => inputs),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    failures: sum(({ failures }) => failures.length),
  });
}
