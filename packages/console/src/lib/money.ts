/** The unit of the store's money; nulls while no currency is set. */
export interface Currency {
  readonly currency: string | null;
  /** The number of its decimals. */
  readonly currency_exponent: number | null;
}

const digitsOf = ({ currency_exponent }: Currency) => currency_exponent ?? 0;

const styleOf = ({ currency }: Currency) =>
  currency === null
    ? {}
    : ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const);

/**
 * Formats an amount: `Rp 150.000`.
 * @param amount in the currency's smallest unit
 */
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

/** A number of digits only, or of groups with one kind of separator. */
const wholeNumber = /^(?:\d+|\d{1,3}([., '’])(?:\d{2,3}\1)*\d{3})$/;

/**
 * Parses a typed amount into the smallest unit. Undefined for a text that is no amount or is ambiguous: below zero, in
 * per cent, `1.5` without decimals in the currency, `100rb`.
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
  const parts = new RegExp(`^(.+?)(?:([.,])(${decimals}))?$`).exec(bare) ?? [];
  const [, whole = '', separator = '', part = ''] = parts;
  // Three digits are decimals behind a point, as amounts are shown, unless they are another group.
  const isComma = separator === ',' && /^[1-9]\d{0,2}$/.test(whole);
  const mayBeGroup = part.length === 3 && (isComma || whole.includes(separator));
  if (!wholeNumber.test(whole) || mayBeGroup) return undefined;
  return Number(whole.replaceAll(/\D/g, '') + part.slice(0, exponent).padEnd(exponent, '0'));
}
