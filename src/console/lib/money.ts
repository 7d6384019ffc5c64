/** How the store counts money. */
export interface Currency {
  readonly currency: string;
  /** Digits after the point of its amounts. */
  readonly currency_exponent: number;
}

/** An amount as people read it: `Rp 150.000`. @param amount in the currency's smallest unit */
export const money = (
  amount: number,
  { currency, currency_exponent }: Currency,
  locale: string,
): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: currency_exponent,
    maximumFractionDigits: currency_exponent,
  }).format(amount / 10 ** currency_exponent);

/** The same in few characters, for charts and tiles: `Rp 1.5M`. */
export const shortMoney = (
  amount: number,
  { currency, currency_exponent }: Currency,
  locale: string,
): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** currency_exponent);

/**
 * The amount that somebody typed, in the smallest unit; undefined for what is none.
 * @param text with a point or a comma before the last digits, where the currency has such
 */
export function amountOf(
  text: string,
  { currency_exponent: exponent }: Currency,
): number | undefined {
  const bare = text.replaceAll(/[^\d.,]/g, '');
  const part = exponent > 0 ? new RegExp(`[.,](\\d{1,${exponent}})$`).exec(bare) : null;
  const whole = bare.slice(0, part?.index).replaceAll(/[.,]/g, '');
  const digits = whole + (part?.[1] ?? '').padEnd(exponent, '0');
  return whole === '' ? undefined : Number(digits);
}

/** An amount as it stands in a field: without symbol and groups. */
export const typedAmount = (amount: number, { currency_exponent }: Currency): string =>
  (amount / 10 ** currency_exponent).toFixed(currency_exponent);
