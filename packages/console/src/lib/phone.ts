/** The digits before a national number: the calling code from abroad, the trunk prefix within the country. */
export interface Dialling {
  readonly code: string;
  readonly trunk: string;
}

/**
 * The address of a chat with a phone; undefined for a number without a country if the store has none.
 * @param dialling the prefixes of the store's country
 */
export function chatWith(phone: string, dialling: Dialling | null): string | undefined {
  const digits = internationalDigits(numberIn(phone), dialling);
  return digits && `https://wa.me/${digits}`;
}

export const callTo = (phone: string): string => `tel:${numberIn(phone)}`;

/** A phone's digits, with its + if it has one; letters and an extension are no part of it. */
const numberIn = (phone: string) =>
  (/[+\d][^\p{L}#*;,]*/u.exec(phone)?.[0] ?? '').replaceAll(/(?!^\+)\D/g, '');

function internationalDigits(number: string, dialling: Dialling | null): string | undefined {
  if (number === '') return undefined;
  const abroad = /^(?:\+|00)(\d*)$/.exec(number)?.[1];
  if (!dialling) return abroad;
  const { code, trunk } = dialling;
  // The trunk prefix often follows the calling code: +62 (0)812…
  if (abroad !== undefined) {
    return trunk === '0' && abroad.startsWith(code + trunk)
      ? code + abroad.slice(code.length + trunk.length)
      : abroad;
  }
  if (trunk !== '' && number.startsWith(trunk)) return code + number.slice(trunk.length);
  return number.startsWith(code) ? number : code + number;
}
