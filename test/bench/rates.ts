import { type CpuTimes, cpuPerRequest, cpuTimes, mapTimes } from './cpu.ts';
import { type Request, load } from './load.ts';

export interface Target {
  name: string;
  next: () => Request;
}

export interface Rate {
  name: string;
  /** Requests a second: the median of the rounds, and each round. */
  perSecond: number;
  rounds: readonly number[];
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Processor time of a request. */
  cpu: CpuTimes;
}

interface Run {
  readonly target: Target;
  readonly latencies: number[];
  readonly rounds: number[];
  readonly cpu: CpuTimes[];
}

/** Measures the targets in turn, every other round backwards, so that other load affects all of them. */
export async function measureRates(
  targets: readonly Target[],
  { rounds, ...limits }: { rounds: number; callers: number; milliseconds: number },
  onRound: (round: number) => void,
): Promise<Rate[]> {
  const runs = targets.map((target): Run => ({ target, latencies: [], rounds: [], cpu: [] }));
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const run of round % 2 ? runs : runs.toReversed()) {
      const before = await cpuTimes();
      const { latencies, elapsed } = await load(run.target.next, limits);
      // The first round warms up.
      if (round === 0) continue;
      run.cpu.push(cpuPerRequest(before, await cpuTimes(), latencies.length));
      run.latencies.push(...latencies);
      run.rounds.push((1000 * latencies.length) / elapsed);
    }
  }
  return runs.map(rateOf);
}

const rateOf = ({ target: { name }, latencies, rounds, cpu }: Run): Rate => ({
  name,
  perSecond: median(rounds),
  rounds,
  p50: median(latencies),
  p99: quantile(latencies, 0.99),
  cpu: mapTimes((role) => median(cpu.map((times) => times[role]))),
});

/** Compares the rates of two targets: the median of the rounds' ratios. */
export const ratioOf = (rate: Rate, other: Rate): number =>
  median(rate.rounds.map((perSecond, round) => perSecond / (other.rounds[round] ?? 0)));

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
