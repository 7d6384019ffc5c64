import { type Charset, type DecodedText, charsetOf, decode } from './charset.ts';
import { BYTE, isBlank, quotedEnd } from './scan.ts';

/** NULL, a text (also for numbers, as written), or undefined if it is no literal. */
export type Literal = DecodedText | null | undefined;

export function literal(bytes: Buffer, start: number, end: number, charset: Charset): Literal {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from])) from += 1;
  while (from < to && isBlank(bytes[to - 1])) to -= 1;
  const first = bytes[from];
  if (first !== BYTE.quote && first !== BYTE.doubleQuote) return unquoted(bytes, from, to, charset);
  if (quotedEnd(bytes, from) !== to) return undefined;
  return decode(unescaped(bytes.subarray(from + 1, to - 1), first), charset);
}

/** The character set of a literal in `_utf8mb4 '…'`; `_binary` names none, so UTF-8 is assumed. */
const introducer = /^_(\w+)\s*(?=['"]|0?[xb])/i;

function unquoted(bytes: Buffer, from: number, to: number, charset: Charset): Literal {
  const [prefix, name = ''] =
    introducer.exec(bytes.toString('latin1', from, Math.min(to, from + 64))) ?? [];
  if (prefix !== undefined) {
    const introduced = name.toLowerCase() === 'binary' ? 'utf-8' : charsetOf(name);
    return literal(bytes, from + prefix.length, to, introduced);
  }
  const text = bytes.toString('latin1', from, to);
  if (/^null$/i.test(text)) return null;
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return { text, repaired: false };
  const [, hex] = /^(?:0x|x(?='[^']*'$))'?([0-9a-f]*)'?$/i.exec(text) ?? [];
  if (hex !== undefined) return decode(Buffer.from(hex, 'hex'), charset);
  const [, bits] = /^(?:0b|b(?='[^']*'$))'?([01]+)'?$/i.exec(text) ?? [];
  return bits === undefined ? undefined : { text: String(BigInt(`0b${bits}`)), repaired: false };
}

/** Letters with a meaning after a backslash; any other letter is itself. */
const escapes = new Map(
  Object.entries({ '0': 0, b: 8, t: 9, n: 10, r: 13, Z: 26 }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte,
  ]),
);

/** Outside of patterns, MySQL reads `\%` and `\_` as two characters each. */
const keptEscapes = new Set(['%', '_'].map((letter) => letter.charCodeAt(0)));

function unescaped(inner: Buffer, quote: number): Buffer {
  if (!inner.includes(BYTE.backslash) && !inner.includes(quote)) return inner;
  const plain = Buffer.allocUnsafe(inner.length);
  let length = 0;
  for (let at = 0; at < inner.length; at += 1) {
    let byte = inner[at] ?? 0;
    if (byte === quote) at += 1;
    else if (byte === BYTE.backslash) {
      at += 1;
      byte = inner[at] ?? 0;
      if (keptEscapes.has(byte)) plain[length++] = BYTE.backslash;
      byte = escapes.get(byte) ?? byte;
    }
    plain[length++] = byte;
  }
  return plain.subarray(0, length);
}
