/**
 * Returned for a token that may continue after the available bytes: the scan starts over at the token's beginning, with
 * more bytes.
 */
export const MORE = -1;

const code = (character: string) => character.charCodeAt(0);

export const BYTE = {
  backslash: code('\\'),
  backtick: code('`'),
  comma: code(','),
  dash: code('-'),
  doubleQuote: code('"'),
  hash: code('#'),
  lineFeed: code('\n'),
  quote: code("'"),
  semicolon: code(';'),
  slash: code('/'),
  star: code('*'),
  open: code('('),
  close: code(')'),
} as const;

/** A lookup table: 1 for the bytes of these characters. */
const among = (characters: string): Uint8Array => {
  const table = new Uint8Array(256);
  for (const character of characters) table[code(character)] = 1;
  return table;
};

const quotes = among('\'"`');
const inStatement = among('\'"`;#-/');
const inRow = among('\'"`(),');

export const isBlank = (byte: number | undefined): boolean => byte !== undefined && byte <= 0x20;

/** Letters, digits, `_`, `$` and everything outside ASCII: the characters of unquoted names. */
const isWord = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x5f ||
  byte === 0x24 ||
  byte >= 0x80;

export function blankEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isBlank(bytes[end])) end += 1;
  return end;
}

export function wordEnd(bytes: Uint8Array, at: number): number {
  for (let end = at; end < bytes.length; end += 1) if (!isWord(bytes[end] ?? 0)) return end;
  return MORE;
}

/** Skips to after the quote that closes the one at `at`. */
export function quotedEnd(bytes: Uint8Array, at: number): number {
  const quote = bytes[at];
  for (let end = at + 1; end + 1 < bytes.length; end += 1) {
    const byte = bytes[end];
    if (byte === BYTE.backslash && quote !== BYTE.backtick) end += 1;
    else if (byte === quote) {
      if (bytes[end + 1] !== quote) return end + 1;
      end += 1;
    }
  }
  return MORE;
}

export function lineEnd(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(BYTE.lineFeed, at) + 1 || MORE;
}

/** The position after the comment at `at`; `at` itself if no comment begins there. */
export function commentEnd(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === BYTE.hash) return lineEnd(bytes, at);
  if (first !== BYTE.dash && first !== BYTE.slash) return at;
  if (at + 3 >= bytes.length) return MORE;
  const second = bytes[at + 1];
  if (first === BYTE.dash)
    return second === BYTE.dash && isBlank(bytes[at + 2]) ? lineEnd(bytes, at) : at;
  if (second !== BYTE.star) return at;
  if (/^M?!/.test(bytes.toString('latin1', at + 2, at + 4))) return conditionalEnd(bytes, at + 2);
  const end = bytes.indexOf('*/', at + 2);
  return end === -1 ? MORE : end + 2;
}

/** A comment that servers execute is SQL: an end within quotes isn't its end. */
function conditionalEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length;) {
    if (bytes[at] === BYTE.star && bytes[at + 1] === BYTE.slash) return at + 2;
    const next = quotes[bytes[at] ?? 0] ? quotedEnd(bytes, at) : at + 1;
    if (next === MORE) return MORE;
    at = next;
  }
  return MORE;
}

/** Skips a statement from anywhere outside quotes: to after its `;`, or as far as is certain. */
export function throughStatement(bytes: Buffer, from: number): { at: number; ended: boolean } {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (!inStatement[byte]) at += 1;
    else if (byte === BYTE.semicolon) return { at: at + 1, ended: true };
    else {
      const end = quotes[byte] ? quotedEnd(bytes, at) : commentEnd(bytes, at);
      if (end === MORE) break;
      at = end === at ? at + 1 : end;
    }
  }
  return { at, ended: false };
}

/** Returns the position after an INSERT's VALUES, SELECT or the like, or that of its `;`. */
export function headEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === BYTE.semicolon) return at;
    if (byte === BYTE.open) depth += 1;
    if (byte === BYTE.close) depth -= 1;
    const end = quotes[byte] ? quotedEnd(bytes, at) : isWord(byte) ? wordEnd(bytes, at) : at + 1;
    if (end === MORE) return MORE;
    if (depth === 0 && isWord(byte) && leadsToRows(bytes.subarray(at, end))) return end;
    at = end;
  }
  return MORE;
}

const leadsToRows = (word: Uint8Array) =>
  /^(VALUES?|SELECT|SET|TABLE|WITH)$/i.test(String.fromCharCode(...word.subarray(0, 7)));

/**
 * Skips the row whose `(` is at `at`. Puts the bounds of its values into `bounds`, two numbers a value, with the blanks
 * around them.
 */
export function rowEnd(bytes: Uint8Array, at: number, bounds: number[]): number {
  bounds.length = 0;
  let depth = 0;
  let start = at + 1;
  for (let end = start; end < bytes.length;) {
    const byte = bytes[end] ?? 0;
    if (!inRow[byte]) end += 1;
    else if (quotes[byte]) {
      end = quotedEnd(bytes, end);
      if (end === MORE) return MORE;
    } else {
      const isOuter = depth === 0 && byte !== BYTE.open;
      if (isOuter) {
        bounds.push(start, end);
        start = end + 1;
      }
      end += 1;
      if (isOuter && byte === BYTE.close) return end;
      if (byte !== BYTE.comma) depth += byte === BYTE.open ? 1 : -1;
    }
  }
  return MORE;
}
