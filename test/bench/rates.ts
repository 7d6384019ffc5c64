import { type Request, load } from './load.ts';

/** What is measured: a name, and its requests. */
export interface Target {
  name: string;
  next: () => Request;
}

/** What the rounds say about a target. */
export interface Rate {
  name: string;
  /** Requests a second, the median of the rounds. */
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Its requests a second as a part of the first target's in the same round; the median. */
  ratio: number;
}

/**
 * Measures the targets in turn, round after round: what the machine does beside falls on all of
 * them. The first is what the others are compared with.
 */
export async function measureRates(
  targets: readonly Target[],
  { rounds, callers, milliseconds }: { rounds: number; callers: number; milliseconds: number },
  onRound: (round: number) => void,
): Promise<Rate[]> {
  const runs = targets.map(() => ({ latencies: [] as number[], rates: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const [i, { next }] of targets.entries()) {
      const { latencies, elapsed } = await load(next, { callers, milliseconds });
      // The first round warms up.
      if (round === 0) continue;
      runs[i]?.latencies.push(...latencies);
      runs[i]?.rates.push((1000 * latencies.length) / elapsed);
    }
  }
  const floor = runs[0]?.rates ?? [];
  return targets.map(({ name }, i) => {
    const { latencies = [], rates = [] } = runs[i] ?? {};
    return {
      name,
      perSecond: quantile(rates, 0.5),
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      ratio: quantile(
        rates.map((rate, round) => rate / (floor[round] ?? 0)),
        0.5,
      ),
    };
  });
}

/** The value that a part of the values is below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
