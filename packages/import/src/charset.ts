import { isUtf8 } from 'node:buffer';
import { MAKE_ANOTHER, SourceRefused } from './errors.ts';
import { entryOf } from './values.ts';

/** MySQL's latin1 is Windows' code page 1252. */
export type Charset = 'utf-8' | 'windows-1252';

const charsets: Readonly<Record<string, Charset>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  ascii: 'utf-8',
  latin1: 'windows-1252',
};

/** @throws SourceRefused for an unsupported character set */
export function charsetOf(name: string): Charset {
  const found = entryOf(charsets, name.toLowerCase());
  if (found) return found;
  throw new SourceRefused(
    'charset',
    `The dump is in the character set ${name}, and only utf8, utf8mb4, latin1 and ascii are read. ${MAKE_ANOTHER}, with --default-character-set=utf8mb4`,
  );
}

const windows1252 = new TextDecoder('windows-1252');

export interface DecodedText {
  text: string;
  /** True if NUL, or bytes that are not text, were replaced by U+FFFD. */
  repaired: boolean;
}

/** Decodes bytes. NUL is replaced, because PostgreSQL can't store it. */
export function decode(bytes: Buffer, charset: Charset): DecodedText {
  const text = charset === 'utf-8' ? bytes.toString('utf8') : windows1252.decode(bytes);
  const hasNul = text.includes('\0');
  const isBroken = charset === 'utf-8' && text.includes('\uFFFD') && !isUtf8(bytes);
  return {
    text: hasNul ? text.replaceAll('\0', '\uFFFD') : text,
    repaired: hasNul || isBroken,
  };
}
