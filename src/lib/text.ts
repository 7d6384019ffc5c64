/** Control characters, and those that turn the direction of what comes after them. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text in one line: whatever isn't seen is a blank, and blanks don't come in rows. */
export const oneLine = (text: string): string =>
  text.replace(unseen, ' ').replace(/\s+/g, ' ').trim().toWellFormed();

/** A text of at most so many characters, with a sign where something is missing. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** A text's first characters, at most so many, for who takes no more. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** A text without the marks on its letters: `é` is `e`, also where it is one character. */
export const withoutMarks = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}+/gu, '');

/** The letters and digits of a text in ASCII, small, with hyphens for all else: a part of an address, a key. */
export const hyphenated = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
