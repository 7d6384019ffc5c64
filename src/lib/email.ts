import * as z from 'zod';
import { trimmed } from './text.ts';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** A label with a letter: without one, the domain would be an IP address. */
const topLevel = '(?:[0-9][0-9-]*)?[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';

const form = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${topLevel}$`);

/** Lengths count octets, which equal characters in an address (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). */
const isShortEnough = (text: string) =>
  text.length <= 254 && text.indexOf('@') <= 64 && !/[^.@]{64}/.test(text.slice(text.indexOf('@')));

/**
 * Tells if a text is one e-mail address of RFC 5321, 4.1.2. Quoted local parts and address literals
 * (`user@[192.0.2.1]`) are refused: mail headers and providers read some of them as several addresses. A domain with
 * letters outside ASCII is written in punycode.
 */
export const isEmail = (text: string): boolean => form.test(text) && isShortEnough(text);

export const Email = z
  .string()
  .overwrite(trimmed)
  .check(z.email({ pattern: form }))
  .max(254)
  .refine(isShortEnough, 'at most 64 characters before the @, and 63 between two dots')
  .toLowerCase();
