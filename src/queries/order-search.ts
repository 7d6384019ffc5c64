import { type SQL, and, eq, or, sql } from 'drizzle-orm';
import { asId, contains, searched, trigramLength } from '../kernel/database/filters.ts';
import { meantCode } from '../domain/license/codes.ts';
import { numberLength } from '../domain/order/rules.ts';
import { hasCode } from './license-activations.ts';
import { hasPhonePart } from './phones.ts';
import { unitsOf } from '../lib/money.ts';
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
 * The amounts that words can mean in a currency, in its smallest unit: whole units with or without decimals, grouped or
 * not, after the currency or not. Digits alone can also be the amount in the smallest unit.
 */
function amountsOf(words: string, exponent: number): number[] {
  const bare = words
    .replace(/^(\p{Sc}|\p{L}{1,3}\p{Sc}?)\.?(?=[\s\d])/u, '')
    .replace(/,-$/, '')
    .trim();
  const [, units = '', decimals = ''] =
    new RegExp(`^(.*)[.,](\\d{1,${Math.max(2, exponent)}})$`).exec(bare) ?? [];
  const whole = wholeOf(bare);
  const amounts = [
    /[.,\s]/.test(bare) ? undefined : unitsOf(whole, 0),
    unitsOf(whole, exponent),
    unitsOf(`${wholeOf(units)}.${decimals}`, exponent),
  ];
  return amounts.flatMap((amount) => amount || []);
}

/** The digits of a number without decimals, empty if it is none. */
const wholeOf = (text: string): string =>
  /^(0|[1-9]\d{0,2}([.,\s]\d{2,3})*[.,\s]\d{3}|[1-9]\d{0,14})$/.test(text)
    ? text.replace(/[.,\s]/g, '')
    : '';

const exponents = [0, 1, 2, 3, 4];

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
  const meant = exponents.flatMap((exponent) =>
    amountsOf(words, exponent).map((amount) => sql`(${exponent}::int, ${amount}::bigint)`),
  );
  if (meant.length === 0) return undefined;
  const amounts = sql`any (array(select m.amount from (values ${sql.join(meant, sql`, `)}) m (exponent, amount)
    where m.exponent = (select currency_exponent from settings)))`;
  const exactly = sql`currency = (select currency from settings) and grand_total = ${amounts}`;
  return sql`select order_id from payable_claims
      where currency = (select currency from settings) and amount = ${amounts}
    union (select id from orders where ${waitsPlainly} and ${exactly} limit ${newest})
    union (select id from orders where ${waitedForTransfer} and ${exactly}
      order by ${waitedUntil} desc limit ${newest})`;
}
