import { once } from './once.ts';

/** Control characters, and characters that turn the direction of the text after them. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A character that is seen, or a sign for programs. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** The last of them. Each blank of the text is looked at once. */
const lastSeen = /[^\s\p{Default_Ignorable_Code_Point}](?=[\s\p{Default_Ignorable_Code_Point}]*$)/u;

/** A text without what copying and keyboards put around it: blanks, and marks that show nothing. */
export function trimmed(text: string): string {
  const last = lastSeen.exec(text);
  return last ? text.slice(text.search(seen), last.index + last[0].length) : '';
}

/**
 * A code of letters, digits and hyphens as it is kept, from how somebody typed or pasted it: in upper
 * case, hyphens for dashes, without what shows as nothing and without blanks and quotes around it.
 */
export const plainCode = (text: string): string =>
  withPlainHyphens(text.normalize('NFKC')).replace(quotes, '').toUpperCase();

const quotes = /^[\s\p{Quotation_Mark}]+|(?<![\s\p{Quotation_Mark}])[\s\p{Quotation_Mark}]+$/gu;

/** A searched code: letters with marks find the plain ones too. */
export const askedCode = (text: string): string => plainCode(withoutMarks(text));

/** A text with hyphens for dashes, and without marks that show nothing. */
export const withPlainHyphens = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[\p{Pd}\u2212]/gu, '-');

/** Tells a text in which there is something to be seen. */
export const isSeen = (text: string): boolean =>
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** A text in one line: whatever isn't seen is a blank, and blanks don't come in rows. */
export const oneLine = (text: string): string =>
  text.replace(unseen, ' ').replace(/\s+/g, ' ').trim().toWellFormed();

/** A text of at most so many characters, with an ellipsis where it is cut. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most - 1)}…`;

/** The first characters of a text, for receivers with a limit. */
export const cut = (text: string, most: number): string =>
  (text.length <= most ? text : beginning(text, most)).toWellFormed();

const characters = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** A longer text up to a place, or to the beginning of the character that is there; one alone is cut. */
function beginning(text: string, most: number): string {
  const end = characters().segment(text).containing(most)?.index ?? most;
  return text.slice(0, end || most).replace(/[\ud800-\udbff]$/, '');
}

/** A text without the marks on its letters: `é` is `e`, also where it is one character. */
export const withoutMarks = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}+/gu, '');

/** The letters and digits of a text in ASCII, small, with hyphens for all else: a part of an address, a key. */
export const hyphenated = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
