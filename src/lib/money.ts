/** `amount` × `percent` / 100, rounded half up to a whole unit. Exact: percentages carry 4 decimals. */
export function percentOf(amount: number, percent: number): number {
  return divideHalfUp(BigInt(amount) * BigInt(Math.round(percent * 10_000)), 1_000_000n);
}

/** The tax contained in an amount that includes it: amount × rate / (100 + rate), half up. */
export function taxWithin(amount: number, percent: number): number {
  const rate = BigInt(Math.round(percent * 10_000));
  return divideHalfUp(BigInt(amount) * rate, 1_000_000n + rate);
}

/** a / b rounded half up, away from zero on a tie, for b > 0. */
function divideHalfUp(a: bigint, b: bigint): number {
  const negative = a < 0n;
  const magnitude = negative ? -a : a;
  const rounded = (2n * magnitude + b) / (2n * b);
  return Number(negative ? -rounded : rounded);
}
