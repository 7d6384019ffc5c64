import { type SQL, and, eq, sql } from 'drizzle-orm';
import { type Write, build, guard, lockValue, raw } from '../kernel/database/statements.ts';
import { listed } from '../kernel/database/columns.ts';
import { addSeconds } from '../lib/instant.ts';
import { statusGroupMembers } from '../schema/lists.ts';
import { type PurchaseFormRow, purchaseForms } from '../schema/purchase-forms.ts';
import { awaitsPayment } from './payment-sessions.ts';
import { findOtherAmounts } from './unexpected-payments.ts';

export const findForm = (keys: readonly string[]) =>
  build
    .select()
    .from(purchaseForms)
    .where(sql`${purchaseForms.key} = any(${sql.param(keys)}::text[])`);

export const findFormOf = (order_id: number | SQL) =>
  build.select().from(purchaseForms).where(eq(purchaseForms.order_id, order_id));

export interface FormLimits {
  /** Unpaid orders of an address, and links that it is sent in an hour. */
  readonly unpaid: number;
  /** Forms of a network in an hour. */
  readonly hourly: number;
  /** HMACs of the network in the last hour; none if it is unknown. */
  readonly networks: readonly string[];
}

const { unpaid, processing } = statusGroupMembers;

/**
 * The number of unpaid orders that forms with an address placed within a week, whoever has the address. Orders on delivery
 * are unpaid until they are completed.
 */
const unpaidOf = (email: string, now: string) =>
  sql`(select count(*) from purchase_forms f join orders o on o.id = f.order_id
    where f.email = ${email} and f.created_at > ${addSeconds(now, -7 * 86_400)}::timestamptz
      and (o.status in (${sql.raw(listed(unpaid))})
        or o.status in (${sql.raw(listed(processing))}) and o.paid_at is null)
      and o.deleted_at is null)`;

export const findUnpaidOf = (email: string, now: Date) =>
  raw<{ orders: number }>(sql`select ${unpaidOf(email, now.toISOString())}::int as orders`);

const requireFewer = (
  count: SQL,
  limit: number,
  lock: string,
): Write<'rest_too_many_requests'>[] => [
  lockValue(`purchase form ${lock}`),
  guard(sql`select where ${count} < ${limit}`, 'rest_too_many_requests'),
];

const formsOfHour = (condition: SQL, { created_at }: PurchaseFormRow) =>
  sql`(select count(*) from purchase_forms f
    where ${condition} and f.created_at > ${addSeconds(created_at, -3600)}::timestamptz)`;

/** Limits the unpaid orders of a form's e-mail address, and the forms of its network, if known. */
export const limitOrders = (form: PurchaseFormRow, limits: FormLimits) => [
  ...requireFewer(unpaidOf(form.email, form.created_at), limits.unpaid, `address ${form.email}`),
  ...limitNetwork(form, limits),
];

/** Limits the links that are sent to a form's e-mail address, and the forms of its network, if known. */
export const limitLinks = (form: PurchaseFormRow, limits: FormLimits) => {
  const sent = formsOfHour(sql`f.email = ${form.email} and f.order_id is null`, form);
  return [
    ...requireFewer(sent, limits.unpaid, `address ${form.email}`),
    ...limitNetwork(form, limits),
  ];
};

/** Locks the oldest HMAC, which forms of the day or the pepper before lock too. */
const limitNetwork = (form: PurchaseFormRow, { hourly, networks }: FormLimits) =>
  networks.length === 0
    ? []
    : requireFewer(
        formsOfHour(sql`f.network = any(${sql.param(networks)}::text[])`, form),
        hourly,
        `network ${networks.at(-1)}`,
      );

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

/**
 * Orders of the shop that wait for nothing but the review of a payment proof, and the time of their cancellation. Money of
 * another amount waits for a decision, and money of an open payment may still come.
 */
const unreviewed = sql`(select o.id, min(c.created_at) + make_interval(days => s.shop_receipt_days) as at
  from settings s cross join confirmations c join orders o on o.id = c.order_id
 where s.shop_receipt_days > 0 and c.status = 'pending' and o.status = 'payment-confirm'
   and exists (select from purchase_forms f where f.order_id = o.id)
   and not exists (${findOtherAmounts(sql`o.id`).getSQL()}) and not ${awaitsPayment(sql`o.id`)}
 group by o.id, s.shop_receipt_days)`;

/** @param id limits the result to this order */
export const findUnreviewed = (now: Date, limit: number, id?: number) =>
  build
    .select({ id: sql`u.id`.mapWith(Number) })
    .from(sql`${unreviewed} u`)
    .where(
      and(
        sql`u.at <= ${now.toISOString()}::timestamptz`,
        id === undefined ? undefined : sql`u.id = ${id}`,
      ),
    )
    .orderBy(sql`u.at`)
    .limit(limit);

/** The time at which the next order without a review is cancelled; null for none. */
export const nextUnreviewed = sql`(select min(at) from ${unreviewed} u)`;
