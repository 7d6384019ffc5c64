import { Agent } from 'node:http';
import { type Request, timed } from '../load.ts';
import { quantile } from '../rates.ts';
import type { Comparison } from './comparisons.ts';

/** The result of a comparison: p95 of both sides in milliseconds, and the median of the passes' ratios. */
export interface Finding {
  readonly name: string;
  readonly large: number;
  readonly base: number;
  readonly ratio: number;
  readonly limit: number;
}

export type Send = (side: Comparison['large'], n: number) => Request;

const warmUp = 3;
const samples = Number(process.env['SAMPLES'] ?? 30);
const passes = 3;
/** Additional passes over missed comparisons; the median of all passes decides. */
const morePasses = 6;

/**
 * Compares the p95 of both sides. Their requests alternate, and a pass covers all comparisons before the next begins,
 * so that other load affects all of them.
 */
export async function measure(
  comparisons: readonly Comparison[],
  send: Send,
  onPass: (what: string, part: number) => void,
): Promise<Finding[]> {
  const agent = new Agent({ keepAlive: true });
  const runs = comparisons.map((comparison) => ({ comparison, taken: [] as Times[] }));
  type Run = (typeof runs)[number];
  let n = 0;
  const pass = async (some: readonly Run[], count: number, what: string, part: number) => {
    for (const { comparison, taken } of some) {
      onPass(what, part);
      const times: Times = { large: [], base: [] };
      for (let sample = 0; sample < count; sample++) {
        n += 1;
        times.large.push(await timed(send(comparison.large, n), agent));
        times.base.push(await timed(send(comparison.base, n), agent));
      }
      if (count > warmUp) taken.push(times);
    }
  };
  await pass(runs, warmUp, 'warming up', 0);
  for (let i = 0; i < passes; i++) await pass(runs, samples, 'measuring', i / passes);
  const missed = runs.filter((run) => isMissed(findingOf(run)));
  for (let i = 0; i < morePasses; i++) {
    await pass(missed, samples, 'measuring again', i / morePasses);
  }
  agent.destroy();
  return runs.map(findingOf);
}

interface Times {
  readonly large: number[];
  readonly base: number[];
}

export const isMissed = ({ ratio, limit }: Finding): boolean => ratio > limit;

const p95 = (values: readonly number[]) => quantile(values, 0.95);

function findingOf(run: { comparison: Comparison; taken: readonly Times[] }): Finding {
  const { name, limit } = run.comparison;
  const ratios = run.taken.map(({ large, base }) => p95(large) / p95(base));
  return {
    name,
    large: p95(run.taken.flatMap(({ large }) => large)),
    base: p95(run.taken.flatMap(({ base }) => base)),
    ratio: quantile(ratios, 0.5),
    limit,
  };
}
