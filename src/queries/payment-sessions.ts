import { type SQL, and, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Hint } from '../providers/payments/gateway.ts';
import { type SessionRow, openSessionStatuses, paymentSessions } from '../schema/payments.ts';
import { type Argument, build, guard, raw } from '../kernel/database/statements.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';
import { updateRow } from '../kernel/database/versions.ts';
import { isOfPayment } from './provider-refunds.ts';
import { isKept } from './unexpected-payments.ts';

export const findSessions = (order_id: Argument<number>) =>
  build
    .select()
    .from(paymentSessions)
    .where(eq(paymentSessions.order_id, order_id))
    .orderBy(desc(paymentSessions.id))
    .limit(50);

export const findSession = (id: number) =>
  build.select().from(paymentSessions).where(eq(paymentSessions.id, id));

export const findUnexpectedSession = (unexpected_id: number) =>
  build
    .select()
    .from(paymentSessions)
    .where(
      sql`${paymentSessions.id} = (select session_id from unexpected_payments where id = ${unexpected_id})`,
    );

const bookedPayment = recordOf({
  session: paymentSessions,
  given_back: sql<number>`(select coalesce(sum(amount), 0) from provider_refunds
    where session_id = payment_sessions.id and state <> 'failed' and ${isOfPayment})`,
  taken_back: sql<number | null>`(select amount from unexpected_payments
    where session_id = payment_sessions.id and reason = 'reversed')`,
  has_other_money: sql<boolean>`to_json(
    exists (select from unexpected_payments where order_id = payment_sessions.order_id and ${isKept})
    or exists (select from bank_mutations where order_id = payment_sessions.order_id
                  and status = 'matched' and updated_at >= payment_sessions.booked_at))`,
});

/** The payment that paid an order. A payment from before the order was reopened doesn't count. */
export const findBookedPayment = (order_id: Argument<number>) =>
  selectRecords(bookedPayment)
    .from(paymentSessions)
    .where(
      and(
        eq(paymentSessions.order_id, order_id),
        sql`${paymentSessions.booked_at} = (select paid_at from orders where id = ${order_id})`,
      ),
    )
    .orderBy(desc(paymentSessions.id))
    .limit(1);

/** The payments that a gateway's callback may mean. */
export function findHinted(gateway: string, hints: readonly Hint[]) {
  const named = (name: 'reference' | 'provider_id' | 'payment_ref') => {
    const values = hints.flatMap((hint) =>
      name in hint ? [(hint as Record<string, string>)[name]] : [],
    );
    return sql`(select id from payment_sessions where gateway = ${gateway}
      and ${sql.identifier(name)} in (select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)))`;
  };
  return build
    .select()
    .from(paymentSessions)
    .where(
      sql`${paymentSessions.id} in (${named('reference')} union ${named('provider_id')} union ${named('payment_ref')})`,
    );
}

export const orderOfSession = (id: number): SQL =>
  sql`(select order_id from payment_sessions where id = ${id})`;

const nextVersion = sql`${paymentSessions.version} + 1`;

export const insertSession = (session: SessionRow) => build.insert(paymentSessions).values(session);

export const saveSession = (before: SessionRow, after: SessionRow) =>
  updateRow(paymentSessions, before, after);

/** Updates a session, unless it has changed: the newer state wins. */
export const noteSession = (before: SessionRow, after: SessionRow) =>
  build
    .update(paymentSessions)
    .set(after)
    .where(and(eq(paymentSessions.id, before.id), eq(paymentSessions.version, before.version)));

/** Records that a payment was not opened, or that this is unknown. */
export const noteFailedOpening = ({ id, status, checked_at, check_at, updated_at }: SessionRow) =>
  build
    .update(paymentSessions)
    .set({ status, checked_at, check_at, updated_at, version: nextVersion })
    .where(and(eq(paymentSessions.id, id), eq(paymentSessions.status, 'opening')));

/** Records an opened page, if the order still waits for it. */
export const keepPage = ({ id, status, provider_id, url, expires_at, ...row }: SessionRow) =>
  guard(
    build
      .update(paymentSessions)
      .set({
        ...{ status, provider_id, url, expires_at },
        check_at: row.check_at,
        updated_at: row.updated_at,
        version: nextVersion,
      })
      .where(
        and(
          eq(paymentSessions.id, id),
          eq(paymentSessions.status, 'opening'),
          isNull(paymentSessions.superseded_at),
        ),
      )
      .returning({ id: paymentSessions.id }),
    'gateway_unavailable',
  );

/**
 * Records a page that was opened too late. It is closed, and its money is recognised if any comes. A page that the
 * provider also gave to another request stays open.
 */
export const keepLatePage = ({ id, provider_id, url, expires_at, updated_at }: SessionRow) =>
  build
    .update(paymentSessions)
    .set({
      status: sql`case ${paymentSessions.status} when 'opening' then 'created'
        else ${paymentSessions.status} end`,
      superseded_at: sql`coalesce(${paymentSessions.superseded_at}, ${updated_at}::timestamptz)`,
      ...{ provider_id, url, expires_at, check_at: updated_at, updated_at },
      version: nextVersion,
    })
    .where(
      and(
        eq(paymentSessions.id, id),
        sql`${paymentSessions.provider_id} is distinct from ${provider_id}`,
      ),
    );

/**
 * Marks an order's open and reversed payments for closing, because the order no longer waits for them.
 * @param known payments at the time of the decision: a newer one belongs to another request and stays; all if absent
 */
export const supersedeSessions = (order_id: number, now: Date, known?: readonly SessionRow[]) =>
  build
    .update(paymentSessions)
    .set({
      superseded_at: now.toISOString(),
      check_at: now.toISOString(),
      updated_at: now.toISOString(),
      version: nextVersion,
    })
    .where(
      and(
        eq(paymentSessions.order_id, order_id),
        or(
          inArray(paymentSessions.status, [...openSessionStatuses]),
          eq(paymentSessions.paid_amount, 0),
        ),
        isNull(paymentSessions.superseded_at),
        known && lte(paymentSessions.id, Math.max(0, ...known.map(({ id }) => id))),
      ),
    );

/** True if an open payment of the order may still bring money. */
export const awaitsPayment = (order_id: SQL): SQL => sql`exists (
  select from payment_sessions p where p.order_id = ${order_id}
     and p.status in ${[...openSessionStatuses]} and p.superseded_at is null)`;

/** Claims payments with a due look-up. Without a result, they are due again after a minute. */
export const takeDueSessions = (most: number, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return raw<{ id: number }>(sql`
    update payment_sessions set check_at = ${at} + interval '1 minute'
     where id in (select id from payment_sessions where check_at <= ${at}
                   order by check_at limit ${most} for update skip locked)
    returning id`);
};

export const findDueSessions = (ids: readonly number[]) =>
  build
    .select()
    .from(paymentSessions)
    .where(inArray(paymentSessions.id, [...ids]));

/** An SQL expression: the time of the next look-up; null if there is none. */
export const nextSessionCheck: SQL = sql`(select min(check_at) from payment_sessions)`;

/**
 * Makes the look-up of a payment due at once.
 * @param named the id of the money that a callback names; it replaces an earlier one only if the callback says that the
 * money came
 */
export const checkSoon = (
  id: number,
  now: Date,
  named?: { readonly id: string; readonly says_paid: boolean },
) =>
  build
    .update(paymentSessions)
    .set({
      check_at: now.toISOString(),
      ...(named && {
        named_ref: named.says_paid
          ? named.id
          : sql`coalesce(${paymentSessions.named_ref}, ${named.id})`,
      }),
      updated_at: now.toISOString(),
      version: nextVersion,
    })
    .where(eq(paymentSessions.id, id));
