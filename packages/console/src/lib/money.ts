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

/** Formats an amount in few characters, for charts and tiles: `Rp 1.5M`. */
export const shortMoney = (amount: number, store: Currency, locale: string): string =>
  new Intl.NumberFormat(locale, {
    ...styleOf(store),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** digitsOf(store));

/** A number in digits alone, or in groups with one sign between them. */
const wholeNumber = /^(?:\d+|\d{1,3}([., '’])(?:\d{2,3}\1)*\d{3})$/;

/**
 * The amount that somebody typed, in the smallest unit; undefined for a text that is no amount or may mean another
 * one: below zero, in per cent, `1.5` where there are no decimals, `100rb`.
 * @param text with a point or a comma before the decimals, and the currency's sign or code on either side
 */
export function amountOf(text: string, store: Currency): number | undefined {
  const exponent = digitsOf(store);
  const bare = text
    .trim()
    .replaceAll(/\s/g, ' ')
    .replace(/^(?:\p{L}{1,3}\.?)?\p{Sc}? ?/u, '')
    .replace(/ ?(?:\p{Sc}|(?<code>[A-Z]{3}))$/u, (end, code?: string) =>
      code === undefined || code === store.currency ? '' : end,
    );
  const decimals = exponent > 0 ? `\\d{1,${exponent}}` : '0{1,2}';
  const [, whole = '', part = ''] = new RegExp(`^(.+?)(?:[.,](${decimals}))?$`).exec(bare) ?? [];
  if (!wholeNumber.test(whole)) return undefined;
  return Number(whole.replaceAll(/\D/g, '') + part.slice(0, exponent).padEnd(exponent, '0'));
}
