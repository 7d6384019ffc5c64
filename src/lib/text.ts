import { once } from './once.ts';

/** Control characters, and characters that change the direction of the text after them. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A character that shows. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** The last visible character, found in linear time. */
const lastSeen = /[^\s\p{Default_Ignorable_Code_Point}](?=[\s\p{Default_Ignorable_Code_Point}]*$)/u;

/** Removes the blanks and invisible marks that copying and keyboards add around a text. */
export function trimmed(text: string): string {
  const last = lastSeen.exec(text);
  return last ? text.slice(text.search(seen), last.index + last[0].length) : '';
}

/**
 * Normalises a typed or pasted code of letters, digits and hyphens for storage: upper case, hyphens for dashes, without
 * invisible marks, and without blanks and quotes around it.
 */
export const plainCode = (text: string): string =>
  withPlainHyphens(text.normalize('NFKC')).replace(quotes, '').toUpperCase();

const quotes = /^[\s\p{Quotation_Mark}]+|(?<![\s\p{Quotation_Mark}])[\s\p{Quotation_Mark}]+$/gu;

/** A search term for codes: letters with marks find plain ones, too. */
export const askedCode = (text: string): string => plainCode(withoutMarks(text));

/** Replaces dashes by hyphens and removes invisible marks. */
export const withPlainHyphens = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[\p{Pd}\u2212]/gu, '-');

export const isSeen = (text: string): boolean =>
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Tells if a text has no line break and no other control character. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

export const oneLine = (text: string): string =>
  text.replace(unseen, ' ').replace(/\s+/g, ' ').trim().toWellFormed();

/** Shortens a text to a number of characters, with an ellipsis if it is cut. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most - 1)}…`;

export const cut = (text: string, most: number): string =>
  (text.length <= most ? text : beginning(text, most)).toWellFormed();

const characters = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** Cuts a text at a position, or at the start of the character that spans it; a lone character is cut. */
function beginning(text: string, most: number): string {
  const end = characters().segment(text).containing(most)?.index ?? most;
  return text.slice(0, end || most).replace(/[\ud800-\udbff]$/, '');
}

/** A text without the marks on its letters: `é` is `e`, even as one character. */
export const withoutMarks = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}+/gu, '');

/** Reduces a text to lower-case ASCII letters, digits and hyphens, as in addresses and keys. */
export const hyphenated = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
