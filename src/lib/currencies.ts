/** Currencies whose number of decimals in ISO 4217 is not 2. No price uses the rupiah's two, so it has none here. */
const decimals: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF IDR ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Returns the decimals of a currency; undefined for a code that is not in ISO 4217. */
export function exponentOf(code: string): number | undefined {
  for (const [exponent, codes] of Object.entries(decimals))
    if (codes.split(' ').includes(code)) return Number(exponent);
  return Intl.supportedValuesOf('currency').includes(code) ? 2 : undefined;
}
