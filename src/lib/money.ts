/** What one order may amount to: sums over many of them stay within what JSON carries exactly. */
export const largestAmount = 9_000_000_000_000;

/** An amount as people write it: `IDR 350000`, `USD 12.50`. */
export function formatMoney(amount: number, currency: string, exponent: number): string {
  const text = String(amount).padStart(exponent + 1, '0');
  const whole = exponent === 0 ? text : `${text.slice(0, -exponent)}.${text.slice(-exponent)}`;
  return `${currency} ${whole}`;
}

/** `amount` × `percent` / 100, rounded half up to a whole unit. Exact: percentages carry 4 decimals. */
export function percentOf(amount: number, percent: number): number {
  return divideHalfUp(BigInt(amount) * BigInt(Math.round(percent * 10_000)), 1_000_000n);
}

/** The tax contained in an amount that includes it: amount × rate / (100 + rate), half up. */
export function taxWithin(amount: number, percent: number): number {
  const rate = BigInt(Math.round(percent * 10_000));
  return divideHalfUp(BigInt(amount) * rate, 1_000_000n + rate);
}

/** `amount` × `part` / `whole`, rounded half up to a whole unit; 0 where the whole is 0. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : divideHalfUp(BigInt(amount) * BigInt(part), BigInt(whole));

/**
 * An amount as people read it: `formatAmount(1234567, 'IDR', 0)` is `IDR 1,234,567`.
 * @param exponent decimals of the currency
 */
export function formatAmount(amount: number, currency: string, exponent: number): string {
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ',');
  const decimals = exponent > 0 ? `.${digits.slice(-exponent)}` : '';
  return `${currency} ${amount < 0 ? '-' : ''}${whole}${decimals}`;
}

/** a / b rounded half up, away from zero on a tie, for b > 0. */
function divideHalfUp(a: bigint, b: bigint): number {
  const negative = a < 0n;
  const magnitude = negative ? -a : a;
  const rounded = (2n * magnitude + b) / (2n * b);
  return Number(negative ? -rounded : rounded);
}
