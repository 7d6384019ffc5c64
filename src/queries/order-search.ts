import { type SQL, and, eq, or, sql } from 'drizzle-orm';
import { asId, contains, searched, trigramLength } from '../kernel/database/filters.ts';
import { meantCode } from '../domain/license/codes.ts';
import { numberLength } from '../domain/order/rules.ts';
import { hasCode } from './license-activations.ts';
import { hasPhonePart } from './phones.ts';
import { askedCode, withPlainHyphens } from '../lib/text.ts';
import { orders, waitedForTransfer, waitedUntil, waitsPlainly } from '../schema/orders.ts';

/** The most orders that a coupon's code or an amount finds; nobody looks through more. */
const newest = 1000;

/**
 * Matches orders by words. The result reveals data, so only callers who may see the buyers' e-mail addresses and phones
 * (`contacts`) can search by them, and by data that only the store may link to an order.
 */
export function matching(asked: string | undefined, contacts: boolean): SQL | undefined {
  if (asked === undefined) return undefined;
  const words = asked.replace(/^#\s*(?=\d)/, '');
  if (words.length < trigramLength) {
    return or(eq(orders.id, asId(words)), eq(sql`lower(${orders.number})`, words.toLowerCase()));
  }
  // The index covers this whole text, and also finds a name in it.
  const text = sql`lower(u.display_name || ' ' || coalesce(u.email, '') || ' ' || u.phone)`;
  const person = contains(text, words);
  const people = contacts
    ? or(person, hasPhonePart(words))
    : and(person, contains(sql`lower(u.display_name)`, words));
  const ofBuyer = sql`select o.id from users u join orders o on o.user_id = u.id where`;
  const named = sql`select o.id from orders o where o.number in ${numbersOf(words)}`;
  const found = sql`select o.id from orders o where ${contains(sql`lower(o.number)`, words)}
    union ${ofBuyer} ${people}`;
  return sql`${orders.id} = ${
    contacts
      ? searched(
          union(named, sql`${ofBuyer} u.email = ${words.toLowerCase()}`, ofLicense(words)),
          union(found, ofCoupon(words), ofTransfer(words)),
        )
      : searched(named, found)
  }`;
}

/** The invoice numbers that words can mean: zeros and the hyphen may be left out. */
function numbersOf(words: string): string[] {
  const plain = withPlainHyphens(words);
  const [, prefix = '', digits = ''] = /^(.*?)(\d{1,15})$/s.exec(plain) ?? [];
  const prefixes = /\p{L}$/u.test(prefix) ? [prefix, `${prefix}-`] : [prefix];
  const padded = prefixes.map((before) => before + digits.padStart(numberLength, '0'));
  const spellings = digits === '' ? [plain] : [plain, ...padded];
  return [...new Set(spellings.flatMap((text) => [text, text.toUpperCase()]))];
}

/**
 * The amounts that words can mean, in the smallest unit: their digits, with or without a currency. If the currency has
 * no smaller unit, `,00` or `,-` at the end is left out.
 */
function amountsOf(words: string): number[] {
  const bare = words.replace(/^(\p{Sc}|\p{L}{1,3}\p{Sc}?)\.?(?=[\s\d])/u, '').trim();
  return [bare, bare.replace(/[.,](00|-)$/, '')]
    .map((text) => text.replace(/[.,\s]/g, ''))
    .filter((digits, at, all) => /^[1-9][0-9]{0,14}$/.test(digits) && all.indexOf(digits) === at)
    .map(Number);
}

const union = (...queries: (SQL | undefined)[]) =>
  sql.join(
    queries.filter((query) => query !== undefined),
    sql` union `,
  );

/** Orders that paid for a licence. */
function ofLicense(words: string): SQL {
  const coded = hasCode(meantCode(words));
  return sql`select licenses.order_id from licenses where ${coded}
    union select t.order_id from licenses join license_terms t on t.license_id = licenses.id
     where ${coded}`;
}

/** The newest orders with a coupon. */
const ofCoupon = (words: string) =>
  sql`(select o.id from orders o where o.coupon_code = ${askedCode(words)} order by o.id desc limit ${newest})`;

/** Orders that wait for a transfer of an amount, in any spelling, and the last ones that did. */
function ofTransfer(words: string): SQL | undefined {
  const amounts = amountsOf(words);
  if (amounts.length === 0) return undefined;
  const exactly = sql`currency = (select currency from settings) and grand_total in ${amounts}`;
  return sql`select order_id from payable_claims
      where currency = (select currency from settings) and amount in ${amounts}
    union (select id from orders where ${waitsPlainly} and ${exactly} limit ${newest})
    union (select id from orders where ${waitedForTransfer} and ${exactly}
      order by ${waitedUntil} desc limit ${newest})`;
}
