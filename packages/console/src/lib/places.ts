type Options = readonly (readonly [code: string, name: string])[];

const byName = (options: Options, locale: string): Options =>
  options.toSorted(([, one], [, other]) => one.localeCompare(other, locale));

/**
 * All currencies by name.
 * @param also a code that the browser may not know
 */
export function currenciesIn(locale: string, also: string | null): Options {
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  const codes = new Set([...Intl.supportedValuesOf('currency'), ...(also ? [also] : [])]);
  return [...codes].map((code) => [code, `${code} · ${names.of(code) ?? code}`]);
}

/** Codes of two letters that belong to no country. */
const noCountries = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

export function countriesIn(locale: string): Options {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const countries = codes.flatMap((code): Options => {
    const name = noCountries.includes(code) ? undefined : names.of(code);
    // An old code of a country has the name of the new one.
    const isCurrent = new Intl.Locale('und', { region: code }).toString() === `und-${code}`;
    return name !== undefined && isCurrent && code !== 'ZZ' ? [[code, name]] : [];
  });
  return byName(countries, locale);
}

/**
 * All time zones.
 * @param current a zone that the browser may name differently
 */
export const timeZones = (current: string): Options =>
  [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zone.replaceAll('_', ' '),
  ]);
