/** The largest amount of an order: sums over many orders are still exact in JSON. */
export const largestAmount = 9_000_000_000_000;

/** An amount as people write it: `IDR 350000`, `USD 12.50`. */
export const formatMoney = (amount: number, currency: string, exponent: number | null): string =>
  `${currency} ${decimalText(amount, exponent ?? 0)}`;

/** The unit of a store's money; nulls while no currency is set. */
interface Currency {
  readonly currency: string | null;
  /** The number of its decimals. */
  readonly currency_exponent: number | null;
}

/** Returns a function that writes an amount in a locale, without rounding: `IDR 350,000`, `Rp350.000`, `$12.50`. */
export function moneyFormat(locale: string, { currency, currency_exponent }: Currency) {
  const decimals = currency_exponent ?? 0;
  const format = new Intl.NumberFormat(locale, {
    ...(currency !== null && { style: 'currency', currency }),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // Indonesian has no space after its currency sign.
  return (amount: number): string =>
    format.format(decimalText(amount, decimals) as `${number}`).replace('Rp\u00a0', 'Rp');
}

/** Renders units of 10^-exponent as a decimal number: `decimalText(-1250, 2)` is `-12.50`. */
export function decimalText(units: number, exponent: number): string {
  const digits = String(Math.abs(units)).padStart(exponent + 1, '0');
  const text = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
  return units < 0 ? `-${text}` : text;
}

/**
 * Parses a decimal number as units of 10^-exponent: `unitsOf('12.5', 2)` is 1250. Undefined if it is no decimal number,
 * is negative, has further decimals that aren't 0, or has more digits than are exact.
 */
export function unitsOf(decimal: string, exponent: number): number | undefined {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === '' || /[1-9]/.test(decimals.slice(exponent))) return undefined;
  const units = Number(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  return Number.isSafeInteger(units) ? units : undefined;
}

/**
 * Converts an amount exactly to units of another exponent: `rescaled(350000, 0, 2)` is 35000000. Undefined if it is no
 * whole number of them.
 */
export function rescaled(units: number, from: number, to: number): number | undefined {
  if (to >= from) {
    const scaled = units * 10 ** (to - from);
    return Number.isSafeInteger(scaled) ? scaled : undefined;
  }
  const divisor = 10 ** (from - to);
  return units % divisor === 0 ? units / divisor : undefined;
}

/** Returns `amount` × `percent` / 100, rounded half up to a whole unit. Exact: percentages have 4 decimals. */
export function percentOf(amount: number, percent: number): number {
  return divideHalfUp(BigInt(amount) * BigInt(Math.round(percent * 10_000)), 1_000_000n);
}

/** Returns the tax contained in an amount that includes it: amount × rate / (100 + rate), half up. */
export function taxWithin(amount: number, percent: number): number {
  const rate = BigInt(Math.round(percent * 10_000));
  return divideHalfUp(BigInt(amount) * rate, 1_000_000n + rate);
}

/** Returns `amount` × `part` / `whole`, rounded half up to a whole unit; 0 if the whole is 0. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : divideHalfUp(BigInt(amount) * BigInt(part), BigInt(whole));

/**
 * Formats an amount: `formatAmount(1234567, 'IDR', 0)` is `IDR 1,234,567`.
 * @param exponent decimals of the currency
 */
export function formatAmount(amount: number, currency: string, exponent: number): string {
  const [whole = '', ...decimals] = decimalText(amount, exponent).split('.');
  return `${currency} ${[whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.')}`;
}

/** Returns a / b rounded half up, away from zero on a tie, for b > 0. */
function divideHalfUp(a: bigint, b: bigint): number {
  const negative = a < 0n;
  const magnitude = negative ? -a : a;
  const rounded = (2n * magnitude + b) / (2n * b);
  return Number(negative ? -rounded : rounded);
}
