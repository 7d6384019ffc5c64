import type { DatabaseSync } from 'node:sqlite';
import { type Instant, isEmail, largestAmount, zonedInstant } from '../../../src/exports/store.ts';
import { unescaped } from './html-text.ts';
import { type PhpArray, type PhpValue, unserialize } from './serialized.ts';

/** An amount in the smallest unit of a currency, parsed from a text. */
export interface Amount {
  readonly units: number;
  /** True if it had decimals that the currency lacks. */
  readonly rounded: boolean;
}

/** A number as PHP writes and reads it: `-12.50`, `.5`, `1.0E+5`. */
const number = '([-+]?)(?=\\.?\\d)(\\d*)(?:\\.(\\d*))?(?:e([-+]?\\d+))?';
const leadingNumber = new RegExp(`^${number}`, 'i');
const wholeNumber = new RegExp(`^\\s*${number}\\s*$`, 'i');

/** The number at the start of a text; undefined if there is none. */
/** Looks up a name that a shop wrote, which may be that of an inherited property, such as "constructor". */
export const entryOf = <T>(
  table: Readonly<Record<string, T>>,
  name: string | null | undefined,
): T | undefined => (name != null && Object.hasOwn(table, name) ? table[name] : undefined);

export const numberIn = (text: string): string | undefined => leadingNumber.exec(text)?.[0];

/** The largest power of ten that is read; no amount has more. */
const farthest = 60;

/**
 * Converts a decimal number exactly; half a unit is rounded away from 0. Undefined for a missing or empty text, for one
 * that is no number, and for a number too large for an order.
 * @param exponent decimals of the currency
 */
export function amountOf(text: string | null, exponent: number): Amount | undefined {
  const match = wholeNumber.exec(text ?? '');
  if (!match) return undefined;
  const [, sign, before = '', behind = '', power = '0'] = match;
  const shift = Number(power);
  if (Math.abs(shift) > farthest)
    return /[1-9]/.test(before + behind) ? undefined : { units: 0, rounded: false };
  // Moves the decimal point by the exponent.
  const digits = '0'.repeat(farthest) + before + behind + '0'.repeat(farthest);
  const point = farthest + before.length + shift;
  const [whole, decimals] = [digits.slice(0, point), digits.slice(point)];
  const [kept, rest] = [
    decimals.slice(0, exponent).padEnd(exponent, '0'),
    decimals.slice(exponent),
  ];
  const magnitude = BigInt(whole + kept || '0') + (/^[5-9]/.test(rest) ? 1n : 0n);
  if (magnitude > BigInt(largestAmount)) return undefined;
  // Avoids -0.
  const units = sign === '-' && magnitude > 0n ? -Number(magnitude) : Number(magnitude);
  return { units, rounded: /[1-9]/.test(rest) };
}

/** The code of a currency. Some plugins write `RIAL` for IRR. */
export const currencyOf = (text: string | null | undefined): string => {
  const code = (text ?? '').toUpperCase();
  return code === 'RIAL' ? 'IRR' : code;
};

/** The whole number in a text; undefined if there is none, or it isn't exact. */
export function wholeOf(text: string | null): number | undefined {
  const number = /^\s*[-+]?\d+\s*$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The id in a text; null without one, and for 0. */
export function idOf(text: string | null | undefined): number | null {
  const id = wholeOf(text ?? null) ?? 0;
  return id > 0 ? id : null;
}

/** Reads a quantity that orders can have; undefined for any other text. */
export function quantityOf(text: string | null | undefined): number | undefined {
  const quantity = wholeOf(text ?? null) ?? 0;
  return quantity >= 1 && quantity <= 2_147_483_647 ? quantity : undefined;
}

/** Tells if a text is neither an id nor empty. */
export const isStrangeId = (text: string | null | undefined): boolean =>
  idOf(text) === null && !['', '0'].includes((text ?? '').trim());

const written = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?)?$/;

/** Reads a moment in UTC; null for any other text, such as a row of zeros. */
export function utcOf(text: string | null): Instant | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    written.exec(text ?? '') ?? [];
  if (year === undefined) return null;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const moment = Date.parse(iso);
  // Rejects dates like 31 February, and years before there were shops.
  return Number.isNaN(moment) ||
    new Date(moment).toISOString() !== iso ||
    iso < '1971' ||
    iso > '2200'
    ? null
    : iso;
}

/** The moment at which a zone's clocks showed a text; null for a text that is no moment. */
export function localOf(text: string | null, timezone: string): Instant | null {
  const asUtc = utcOf(text);
  return asUtc === null ? null : zonedInstant(asUtc, timezone);
}

/** Returns the day after the day of a text, such as the first on which something is over; null without a day. */
export function dayAfter(text: string | null): string | null {
  const day = Date.parse(`${(text ?? '').slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(day) ? null : new Date(day + 86_400_000).toISOString().slice(0, 10);
}

/** Reads seconds since 1970; null for 0 and for any other text. */
export function epochOf(text: string | null): Instant | null {
  const seconds = wholeOf(text) ?? 0;
  if (seconds <= 0) return null;
  const moment = new Date(seconds * 1000);
  return Number.isNaN(moment.getTime()) ? null : utcOf(moment.toISOString().slice(0, 19));
}

export function phpArray(text: string | null): PhpArray | undefined {
  const read = unserialize(text ?? '');
  return read.ok ? asArray(read.value) : undefined;
}

export const asArray = (value: PhpValue | undefined): PhpArray | undefined =>
  typeof value === 'object' && value !== null ? value : undefined;

/** A value as text; null, arrays and `false` are empty, as in PHP. */
export const asText = (value: PhpValue | undefined): string =>
  value === undefined || value === null || value === false || typeof value === 'object'
    ? ''
    : String(value);

/** A value for `meta`: numbers that JSON or JavaScript would change are texts. */
export function keptValue(value: PhpValue): PhpValue {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
      ? value
      : String(value);
  const list = asArray(value);
  return list
    ? Object.fromEntries(Object.entries(list).map(([name, part]) => [name, keptValue(part)]))
    : value;
}

/** Tells if PHP takes a value for true. */
export const isTruthy = (value: PhpValue | undefined): boolean => Boolean(value) && value !== '0';

/** An e-mail address as the store stores it; null if it can't be one. WordPress stores addresses HTML-escaped. */
export function emailOf(text: string | null): string | null {
  const email = unescaped((text ?? '').trim());
  return isEmail(email) ? email.toLowerCase() : null;
}

/**
 * Returns the address that identifies a person, even if the store refuses it. Null for a text such as "-" or "none",
 * which many people share.
 */
export function addressOf(text: string | null): string | null {
  const address = unescaped((text ?? '').trim()).toLowerCase();
  return emailOf(text) ?? (/^[^\s@]+@[^\s@]+$/.test(address) ? address : null);
}

export function addAddressFunctions(database: DatabaseSync): void {
  for (const [name, read] of Object.entries({ email_of: emailOf, address_of: addressOf }))
    database.function(name, { deterministic: true }, (text) =>
      read(text === null ? null : String(text)),
    );
}
