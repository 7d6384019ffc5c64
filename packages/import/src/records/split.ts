import { largestCountedId } from '../../../../src/exports/store.ts';

/**
 * Splits an amount by weights into parts that sum to it exactly: the remainder goes to the largest fractions, the first
 * among equals. Without weights the first part has everything.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map((_, i) => (i === 0 ? amount : 0));
  const sign = amount < 0 ? -1 : 1;
  const [total, of] = [BigInt(Math.abs(amount)), BigInt(whole)];
  const parts = weights.map((weight) => total * BigInt(weight));
  const floors = parts.map((part) => part / of);
  const left = Number(total - floors.reduce((sum, part) => sum + part, 0n));
  const byRemainder = parts
    .map((part, i) => ({ i, remainder: part % of }))
    .sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1));
  const raised = new Set(byRemainder.slice(0, left).map(({ i }) => i));
  // Avoids -0.
  return floors.map((part, i) => sign * (Number(part) + (raised.has(i) ? 1 : 0)) || 0);
}

/** The distance from an order's id within which its further parts may get ids. */
const near = 50;

/** Ids for records without one in the source: near another, so that lists by id stay in order of time. */
export class FreeIds {
  readonly #used: Set<number>;
  #highest: number;

  /** @param used all ids that the source has or mentions */
  constructor(used: Iterable<number>) {
    this.#used = new Set(used);
    this.#highest = 0;
    for (const id of this.#used) this.#note(id);
  }

  /** The next free id near another, or the next above all. */
  after(id: number): number {
    let free = id + 1;
    while (this.#used.has(free)) free++;
    if (free > id + near) free = this.#highest + 1;
    this.#used.add(free);
    this.#note(free);
    return free;
  }

  #note(id: number): void {
    if (id <= largestCountedId) this.#highest = Math.max(this.#highest, id);
  }
}
