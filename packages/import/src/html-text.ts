/** HTML's names of characters beyond Latin-1, as far as people and WordPress write them. */
const named: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 },
    ...{ ndash: 0x20_13, mdash: 0x20_14, lsquo: 0x20_18, rsquo: 0x20_19, sbquo: 0x20_1a },
    ...{ ldquo: 0x20_1c, rdquo: 0x20_1d, bdquo: 0x20_1e, bull: 0x20_22, hellip: 0x20_26 },
    ...{ lsaquo: 0x20_39, rsaquo: 0x20_3a, euro: 0x20_ac, trade: 0x21_22 },
    ...{ OElig: 0x1_52, oelig: 0x1_53, Scaron: 0x1_60, scaron: 0x1_61, Yuml: 0x1_78 },
  }),
);

/** Names of the characters of Latin-1, from U+00A0 on. */
const ofLatin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const codes: ReadonlyMap<string, number> = new Map([
  ...named,
  ...ofLatin1.split(' ').map((name, i): [string, number] => [name, 0xa0 + i]),
]);

const windows1252 = new TextDecoder('windows-1252');

/** Returns the character of a number, as browsers read it; undefined if a text can't have it. */
function characterOf(code: number): string | undefined {
  if (code >= 0x80 && code < 0xa0) return windows1252.decode(Uint8Array.of(code));
  const isNone = code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00);
  return isNone ? undefined : String.fromCodePoint(code);
}

/** Decodes an HTML-escaped text, each reference once: `&amp;amp;` is `&amp;`. */
export const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/gi,
    (
      reference,
      decimal: string | undefined,
      hexadecimal: string | undefined,
      name: string | undefined,
    ) => {
      const code =
        name === undefined
          ? Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10)
          : codes.get(name);
      return (code === undefined ? undefined : characterOf(code)) ?? reference;
    },
  );

/** The text of HTML, sufficient for a title or a label. */
export const plainText = (html: string): string =>
  unescaped(html.replace(/<[^>]*>/g, ''))
    .replaceAll('\u00A0', ' ')
    .trim();

/** The title at the time of the order, if the shop has it; otherwise null. */
export const boughtTitle = (html: string | null | undefined): string | null =>
  plainText(html ?? '').slice(0, 300) || null;

/** Keeps HTML unchanged, and unescapes a text without tags. */
export function description(html: string): string {
  const text = unescaped(html);
  return /<[a-z!/]/i.test(text) ? html : text;
}
