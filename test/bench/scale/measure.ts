import { Agent } from 'node:http';
import { type Request, timed } from '../load.ts';
import { quantile } from '../rates.ts';
import type { Comparison } from './comparisons.ts';

/** What was found: p95 of both sides in milliseconds, and the median of the passes' ratios. */
export interface Finding {
  readonly name: string;
  readonly large: number;
  readonly base: number;
  readonly ratio: number;
  readonly limit: number;
}

export type Send = (side: Comparison['large'], n: number) => Request;

const passes = 3;
const samples = Number(process.env['SAMPLES'] ?? 20);

/**
 * Compares the p95 of both sides. Their requests alternate, and a pass goes over all comparisons
 * before the next begins: what the machine does beside falls on all of them.
 */
export async function measure(
  comparisons: readonly Comparison[],
  send: Send,
  onPass: (part: number) => void,
): Promise<Finding[]> {
  const agent = new Agent({ keepAlive: true });
  const times = comparisons.map(() => ({ large: [] as number[][], base: [] as number[][] }));
  let n = 0;
  for (let pass = 0; pass <= passes; pass++) {
    for (const [i, { large, base }] of comparisons.entries()) {
      onPass((pass + i / comparisons.length) / (passes + 1));
      const taken = { large: [] as number[], base: [] as number[] };
      for (let sample = 0; sample < (pass === 0 ? 3 : samples); sample++) {
        n += 1;
        taken.large.push(await timed(send(large, n), agent));
        taken.base.push(await timed(send(base, n), agent));
      }
      // The first pass warms up.
      if (pass === 0) continue;
      times[i]?.large.push(taken.large);
      times[i]?.base.push(taken.base);
    }
  }
  agent.destroy();
  return comparisons.map(({ name, limit }, i) => {
    const { large = [], base = [] } = times[i] ?? {};
    const p95 = (values: readonly number[]) => quantile(values, 0.95);
    const ratios = large.map((values, pass) => p95(values) / p95(base[pass] ?? []));
    const ratio = quantile(ratios, 0.5);
    return { name, large: p95(large.flat()), base: p95(base.flat()), ratio, limit };
  });
}
