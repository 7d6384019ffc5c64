/** The top of an axis that starts at zero: a round number whose half is whole too. */
export function topOf(most: number): number {
  if (most <= 0) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  const step =
    [1, 2, 4, 6, 8].find((each) => each * power >= most && (each * power) % 2 === 0) ?? 10;
  return step * power;
}

/** Divides a width among bars, each with the gap before it. */
export function barsOf(
  count: number,
  width: number,
): { readonly step: number; readonly bar: number } {
  const step = width / Math.max(count, 1);
  return { step, bar: Math.max(1, step - Math.min(4, step * 0.25)) };
}
