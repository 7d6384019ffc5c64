/** Stripe's units and limits for each currency: docs.stripe.com/currencies, read in August 2026. */

const twoDecimals = [
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF',
  'CNY COP CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR',
  'ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR',
  'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE',
  'SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW',
];
const noDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** Currencies without decimals in practice, which are sent with two that are 0. */
const zeroDecimals = 'ISK UGX';
/** Currencies with three decimals, the third of which is always 0. */
const threeDecimals = 'BHD JOD KWD OMR TND';

const each = (codes: string, exponent: number, step: number) =>
  codes.split(' ').map((code) => [code, { exponent, step }] as const);

const units = new Map([
  ...twoDecimals.flatMap((codes) => each(codes, 2, 1)),
  ...each(noDecimals, 0, 1),
  ...each(zeroDecimals, 2, 100),
  ...each(threeDecimals, 3, 10),
]);

export const unitOf = (currency: string) => units.get(currency);

/**
 * The smallest amounts in that unit. If an account is paid out in another currency, Stripe applies the smallest amount
 * of that currency.
 */
const least: ReadonlyMap<string, number> = new Map(
  Object.entries({
    30: 'GBP',
    50: 'ARS AUD BRL CAD CHF COP EUR IDR ILS INR JPY KRW NZD PHP RUB SGD USD ZAR',
    200: 'AED MYR PLN RON',
    250: 'DKK',
    300: 'NOK SEK',
    400: 'HKD',
    1000: 'MXN THB',
    1500: 'CZK',
    17_500: 'HUF',
  }).flatMap(([amount, codes]) => codes.split(' ').map((code) => [code, Number(amount)] as const)),
);

/** The largest card payment in any unit: twelve digits. Other methods accept less. */
const most = 999_999_999_999;

export const limitsOf = (currency: string) => {
  const min = least.get(currency);
  return min === undefined ? { max: most } : { min, max: most };
};
