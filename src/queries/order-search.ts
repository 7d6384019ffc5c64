import { type SQL, eq, or, sql } from 'drizzle-orm';
import { asId, containing, searched, trigramLength } from '../kernel/database/filters.ts';
import { meantCode } from '../domain/license/codes.ts';
import { hasCode } from './license-activations.ts';
import { orders, waitedForTransfer, waitedUntil, waitsPlainly } from '../schema/orders.ts';

/** Most orders that a coupon's code finds, or an amount: those in the thousands are nobody's to look through. */
const newest = 1000;

/**
 * Orders that a search finds: by what somebody has in hand of one. Only who may see the buyers' e-mail
 * addresses and phones can search by them, and by what the store alone may put together (`contacts`): a
 * search that finds tells what it found.
 */
export function matching(words: string | undefined, contacts: boolean): SQL | undefined {
  if (words === undefined) return undefined;
  if (words.length < trigramLength) {
    return or(eq(orders.id, asId(words)), eq(sql`lower(${orders.number})`, words.toLowerCase()));
  }
  const pattern = containing(words);
  // The whole text has the index; a name in it is found through it too.
  const person = sql`lower(u.display_name || ' ' || coalesce(u.email, '') || ' ' || u.phone) like ${pattern}`;
  const people = contacts ? person : sql`${person} and lower(u.display_name) like ${pattern}`;
  const ofBuyer = sql`select o.id from users u join orders o on o.user_id = u.id where`;
  const named = sql`select o.id from orders o where o.number in (${words}, ${words.toUpperCase()})`;
  const found = sql`select o.id from orders o where lower(o.number) like ${pattern} union ${ofBuyer} ${people}`;
  return sql`${orders.id} = ${
    contacts
      ? searched(
          union(named, sql`${ofBuyer} u.email = ${words.toLowerCase()}`, ofLicense(words)),
          union(found, ofCoupon(words), ofTransfer(words)),
        )
      : searched(named, found)
  }`;
}

const union = (...queries: (SQL | undefined)[]) =>
  sql.join(
    queries.filter((query) => query !== undefined),
    sql` union `,
  );

/** Those that paid for a licence, or for more of its time. */
function ofLicense(words: string): SQL {
  const coded = hasCode(meantCode(words));
  return sql`select licenses.order_id from licenses where ${coded}
    union select t.order_id from licenses join license_terms t on t.license_id = licenses.id
     where ${coded}`;
}

/** The newest that a coupon took something off. */
const ofCoupon = (words: string) =>
  sql`(select o.id from orders o where o.coupon_code = ${words.toUpperCase()} order by o.id desc limit ${newest})`;

/** Those that wait for a transfer of an amount, and the last that did, however its digits are grouped. */
function ofTransfer(words: string): SQL | undefined {
  const amount = words.replace(/[.,]/g, '');
  if (!/^[1-9][0-9]{0,14}$/.test(amount)) return undefined;
  const exactly = sql`currency = (select currency from settings) and grand_total = ${amount}::bigint`;
  return sql`select order_id from payable_claims
      where currency = (select currency from settings) and amount = ${amount}::bigint
    union (select id from orders where ${waitsPlainly} and ${exactly} limit ${newest})
    union (select id from orders where ${waitedForTransfer} and ${exactly}
      order by ${waitedUntil} desc limit ${newest})`;
}
