/** The unit of the store's money; nulls as long as nobody set it. */
export interface Currency {
  readonly currency: string | null;
  /** Digits after the point of its amounts. */
  readonly currency_exponent: number | null;
}

const digitsOf = ({ currency_exponent }: Currency) => currency_exponent ?? 0;

/** The options of a number format that writes the currency, if there is one. */
const styleOf = ({ currency }: Currency) =>
  currency === null
    ? {}
    : ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const);

/** An amount as people read it: `Rp 150.000`. @param amount in the currency's smallest unit */
export const money = (amount: number, store: Currency, locale: string): string =>
  new Intl.NumberFormat(locale, {
    ...styleOf(store),
    minimumFractionDigits: digitsOf(store),
    maximumFractionDigits: digitsOf(store),
  }).format(amount / 10 ** digitsOf(store));

/** The same in few characters, for charts and tiles: `Rp 1.5M`. */
export const shortMoney = (amount: number, store: Currency, locale: string): string =>
  new Intl.NumberFormat(locale, {
    ...styleOf(store),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** digitsOf(store));

/**
 * The amount that somebody typed, in the smallest unit; undefined for what is none.
 * @param text with a point or a comma before the last digits, where the currency has such
 */
export function amountOf(text: string, store: Currency): number | undefined {
  const exponent = digitsOf(store);
  const bare = text.replaceAll(/[^\d.,]/g, '');
  const part = exponent > 0 ? new RegExp(`[.,](\\d{1,${exponent}})$`).exec(bare) : null;
  const whole = bare.slice(0, part?.index).replaceAll(/[.,]/g, '');
  const digits = whole + (part?.[1] ?? '').padEnd(exponent, '0');
  return whole === '' ? undefined : Number(digits);
}
