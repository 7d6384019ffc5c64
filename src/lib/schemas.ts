import * as z from 'zod';
import { pathOfInexact } from './json.ts';
import { largestAmount } from './money.ts';
import { isPhoneText } from './phone.ts';
import { storable, storableText, textUpTo } from './storable.ts';
import { askedCode, isOneLine, isSeen, trimmed } from './text.ts';

export { textUpTo };

/** Text as `textUpTo` that identifies something, in NFC, so that equal texts have equal characters. */
export const nameUpTo = (max: number) =>
  z.string().normalize('NFC').max(max).refine(storable, storableText);

export const requiredUpTo = (max: number) =>
  textUpTo(max).min(1).refine(isSeen, 'must not be empty');

export const requiredLineUpTo = (max: number) =>
  requiredUpTo(max).refine(isOneLine, 'must not contain line breaks or other control characters');

export const trimmedUpTo = (max: number) =>
  z.string().normalize('NFC').overwrite(trimmed).max(max).refine(storable, storableText);

/** A unique name: names that look the same are equal. */
export const uniqueNameUpTo = (max: number) =>
  trimmedUpTo(max).min(1).refine(isSeen, 'must not be empty');

/** A code of letters, digits and hyphens as typed or pasted, converted to upper case without marks on letters. */
export const codeUpTo = (max: number) =>
  z.string().overwrite(askedCode).max(max).refine(storable, storableText);

/** A phone number as people write it, possibly with an extension. */
export const Phone = z
  .string()
  .normalize('NFKC')
  .overwrite(trimmed)
  .max(32)
  .refine(storable, storableText)
  .refine(isPhoneText, 'must be one phone number, with nothing but signs and one + before it');

export const shortText = textUpTo(500);

export const noteText = textUpTo(5000);

export const longText = textUpTo(20_000);

const ownSite = 'https://own-site.invalid';

/** Tells if a text is empty, a path of the store's own site, or an http(s) address. */
function isWebLink(text: string): boolean {
  // Browsers skip some blanks and read \ as /, so the address would lead elsewhere.
  if (/[\s\p{Cc}\\]/u.test(text)) return false;
  if (text === '') return true;
  if (text.startsWith('/')) return !text.startsWith('//') && URL.canParse(text, ownSite);
  // Requires a host, and refuses a name or password before it.
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) && URL.canParse(text);
}

/** An address of a page or a picture, in at most `max` characters; never a script. */
export const webLinkUpTo = (max: number) =>
  textUpTo(max).refine(isWebLink, 'must be an http(s) address, a path, or empty');

export const webLink = webLinkUpTo(500);

/** A whole http(s) address, or nothing. */
export const webAddress = webLinkUpTo(500).refine(
  (text) => !text.startsWith('/'),
  'must begin with https:// or http://, or be empty',
);

export const Id = z.int().min(1).max(999_999_999_999_999);

export const unsigned = z.int().min(0);

export const payable = unsigned.max(largestAmount);

/** A percentage from 0 to 100 with at most four decimals. */
export const percentage = z
  .number()
  .min(0)
  .max(100)
  .refine((n) => Number.isInteger(Number((n * 10_000).toFixed(6))), 'at most 4 decimals');

export const StoreCurrency = z
  .string()
  .nullable()
  .describe('ISO 4217 code; null as long as the store has none.');

/** A moment in RFC 3339; replies always have it in UTC with milliseconds. */
export const Instant = z.iso.datetime({ offset: true });

export const changeFields = { created_at: Instant, updated_at: Instant, version: z.int() };

/** Tells if a date or moment is in the years 1 to 9999 in UTC, which every part of the service can write. */
const inCommonEra = (text: string) => /^\d{4}-/.test(text) && !text.startsWith('0000');

export const DateInput = z.iso
  .date({ error: 'must be a date (YYYY-MM-DD)', abort: true })
  .refine(inCommonEra, 'must be in the years 1 to 9999');

/** Converts a moment with any offset to UTC. */
export const InstantInput = Instant.transform((text, context) => {
  const utc = new Date(text).toISOString();
  if (inCommonEra(utc)) return utc;
  context.addIssue({ code: 'custom', message: 'must be in the years 1 to 9999' });
  return z.NEVER;
});

/** Free-form data of the caller's: at most 50 keys and 16 KiB of JSON, without numbers that JavaScript would change. */
export const Meta = z
  .record(textUpTo(100), z.json())
  .superRefine((meta, context) => {
    const path = pathOfInexact(meta);
    const message = 'must be below 2^53 to be kept exactly: send it as text';
    if (path) context.addIssue({ code: 'custom', path, message });
  })
  .refine((meta) => Object.keys(meta).length <= 50, 'at most 50 keys')
  .refine((meta) => {
    const json = JSON.stringify(meta);
    return (
      new TextEncoder().encode(json).length <= 16_384 &&
      storable(json) &&
      !/\\u(0000|d[89a-f])/i.test(json)
    );
  }, 'at most 16 KiB, without NUL characters or lone surrogates');
