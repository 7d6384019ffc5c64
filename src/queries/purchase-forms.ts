import { type SQL, eq, sql } from 'drizzle-orm';
import { type Write, build, guard, lockValue, raw } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import { statusGroupMembers } from '../schema/lists.ts';
import { type PurchaseFormRow, purchaseForms } from '../schema/purchase-forms.ts';

export const findForm = (key: string) =>
  build.select().from(purchaseForms).where(eq(purchaseForms.key, key));

export const findFormOf = (order_id: number | SQL) =>
  build.select().from(purchaseForms).where(eq(purchaseForms.order_id, order_id));

export interface FormLimits {
  /** Unpaid orders of an address. */
  readonly unpaid: number;
  /** Forms of a network in an hour. */
  readonly hourly: number;
}

const unpaid = sql.raw(statusGroupMembers.unpaid.map((status) => `'${status}'`).join());

/**
 * Refuses a form if too many came from its e-mail address, whether or not that has an account, or from its network, if
 * that is known.
 */
export function limitForms(
  { email, network, created_at }: PurchaseFormRow,
  limits: FormLimits,
): Write<'rest_too_many_requests'>[] {
  const fewOfAddress = sql`select from (select count(*) from purchase_forms f
      left join orders o on o.id = f.order_id
     where f.email = ${email} and f.created_at > ${addSeconds(created_at, -7 * 86_400)}::timestamptz
       and coalesce(o.status in (${unpaid}) and o.deleted_at is null,
             f.created_at > ${addSeconds(created_at, -3600)}::timestamptz)) c (n)
    where n < ${limits.unpaid}`;
  const fewOfNetwork = sql`select from (select count(*) from purchase_forms f
      where f.network = ${network} and f.created_at > ${addSeconds(created_at, -3600)}::timestamptz) c (n)
    where n < ${limits.hourly}`;
  return [
    lockValue(`purchase form address ${email}`),
    guard(fewOfAddress, 'rest_too_many_requests'),
    ...(network === ''
      ? []
      : [
          lockValue(`purchase form network ${network}`),
          guard(fewOfNetwork, 'rest_too_many_requests'),
        ]),
  ];
}

/** Accepts a form. A second request with the same form is decided again. */
export const insertForm = (row: PurchaseFormRow): Write =>
  guard(
    build
      .insert(purchaseForms)
      .values(row)
      .onConflictDoNothing({ target: purchaseForms.key })
      .returning({ key: purchaseForms.key }),
    'rest_conflict',
  );

/** Stores the order of a form that waited for its link. */
export const completeForm = ({ key, order_id, name, email, phone }: PurchaseFormRow): Write =>
  guard(
    build
      .update(purchaseForms)
      .set({ order_id, name, email, phone })
      .where(sql`${purchaseForms.key} = ${key} and ${purchaseForms.order_id} is null`)
      .returning({ key: purchaseForms.key }),
    'rest_conflict',
  );

/** Orders of the shop that wait for the review of a payment proof, and the time of their cancellation. */
const unreviewed = sql`(select o.id, min(c.created_at) + make_interval(days => s.shop_receipt_days) as at
  from settings s cross join confirmations c join orders o on o.id = c.order_id
 where s.shop_receipt_days > 0 and c.status = 'pending' and o.status = 'payment-confirm'
   and exists (select from purchase_forms f where f.order_id = o.id)
 group by o.id, s.shop_receipt_days)`;

export const findUnreviewed = (now: Date, limit: number) =>
  raw<{ id: number }>(sql`select id::float8 as id from ${unreviewed} u
    where at <= ${now.toISOString()}::timestamptz order by at limit ${limit}`);

/** The time at which the next order without a review is cancelled; null for none. */
export const nextUnreviewed = sql`(select min(at) from ${unreviewed} u)`;
