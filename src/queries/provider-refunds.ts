import {
  type SQL,
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  not,
  sql,
} from 'drizzle-orm';
import {
  recordFrom,
  recordOf,
  recordOrNullFrom,
  selectRecords,
} from '../kernel/database/records.ts';
import { build, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import {
  type ProviderRefundRow,
  type RefundRow,
  type SessionRow,
  type UnexpectedRow,
  paymentSessions,
  providerRefunds,
  type refundStates,
  refunds,
  unexpectedPayments,
} from '../schema/payments.ts';

/**
 * An SQL condition: the refund was not requested before the order was reopened for the payment that its session has now.
 * Without it, an earlier refund would hide what the provider gave back of the new payment.
 */
const isOfCurrentBooking: SQL = sql`not exists (
  select from refunds f join payment_sessions b on b.id = provider_refunds.session_id
   where f.id = provider_refunds.refund_id and f.reopened_at <= b.booked_at)`;

/** An SQL condition: the refund is of the payment that its session has now. Former versions didn't record the payment. */
export const isOfPayment: SQL = sql`(${isOfCurrentBooking} and (provider_refunds.payment_ref is null
  or provider_refunds.payment_ref = (
    select b.payment_ref from payment_sessions b where b.id = provider_refunds.session_id)))`;

export const findProviderRefunds = (session_id: number) =>
  build
    .select()
    .from(providerRefunds)
    .where(and(eq(providerRefunds.session_id, session_id), isOfCurrentBooking))
    .orderBy(asc(providerRefunds.id));

export const insertProviderRefund = (row: Omit<ProviderRefundRow, 'id'>) =>
  build.insert(providerRefunds).values(row);

export const saveProviderRefund = (
  before: ProviderRefundRow,
  after: Partial<ProviderRefundRow>,
  now: Date,
) =>
  updateRow(providerRefunds, before, {
    ...after,
    updated_at: now.toISOString(),
    version: before.version + 1,
  });

/** An SQL condition: nobody has made the refund. */
const isUnmade = sql`(state = 'requested' or state = 'failed' and paid_by_hand_at is null)`;

/** An SQL condition: the order was not reopened after the refund. */
const isNotReopened = sql`exists (
  select from refunds f where f.id = provider_refunds.refund_id and f.reopened_at is null)`;

const settle = (condition: SQL, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return raw(sql`
    update provider_refunds
       set state = 'failed', error = 'reversed', due_at = null, paid_by_hand_at = ${at},
           updated_at = ${at}, version = version + 1
     where ${condition} and ${isUnmade}`);
};

/**
 * Settles the unfinished and failed refunds of a payment that the bank has taken back: its buyer has all of the money, and
 * would have a part of it twice if somebody paid a failed refund by hand.
 */
export const settleReversed = ({ id }: Pick<SessionRow, 'id'>, now: Date) =>
  settle(sql`session_id = ${id}`, now);

/** Settles the unmade refunds of unexpected money that pays its order. */
export const settleUnexpected = ({ id }: Pick<SessionRow, 'id'>, now: Date) =>
  settle(sql`session_id = ${id} and unexpected_id is not null`, now);

/** Settles the unmade refunds of a reversed payment if its order was reopened and its page was paid anew. */
export const settleReopened = ({ id, payment_ref }: SessionRow, now: Date) =>
  settle(sql`session_id = ${id} and payment_ref <> ${payment_ref} and not ${isNotReopened}`, now);

/** Requests the refunds that were settled because of a reversal, if the payment has come again. */
export const requestSettled = ({ id }: Pick<SessionRow, 'id'>, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return raw(sql`
    update provider_refunds p
       set state = case when s.refundable then 'requested' else 'failed' end,
           error = case when s.refundable then null else 'not_refundable' end,
           due_at = case when s.refundable then ${at} end,
           payment_ref = s.payment_ref, paid_by_hand_at = null,
           updated_at = ${at}, version = p.version + 1
      from refunds r, payment_sessions s
     where p.session_id = ${id} and p.state = 'failed' and p.error = 'reversed'
       and r.id = p.refund_id and r.reopened_at is null
       and s.id = p.session_id and s.paid_amount > 0 and s.booked_at is not null`);
};

/** Lets the refunds of an order that no provider has made be of the payment that came again. */
export const moveRefunds = ({ id, payment_ref }: SessionRow, now: Date) =>
  raw(sql`
    update provider_refunds
       set payment_ref = ${payment_ref}, updated_at = ${now.toISOString()}::timestamptz, version = version + 1
     where session_id = ${id} and payment_ref <> ${payment_ref} and refund_id is not null
       and ${isUnmade} and ${isNotReopened}`);

/**
 * Deletes the record of refunds that the provider made of a payment while it paid no order. Once it pays one, the next
 * look-up books them as the order's.
 */
export const forgetRefundsOf = ({ id, payment_ref }: SessionRow) =>
  build
    .delete(providerRefunds)
    .where(
      and(
        eq(providerRefunds.session_id, id),
        isNull(providerRefunds.refund_id),
        providerRefunds.made_there,
        sql`coalesce(${providerRefunds.payment_ref}, ${payment_ref}) is not distinct from ${payment_ref}`,
      ),
    );

/** Makes the look-up of refunds due at once. One that is under way has no effect then: it may know less. */
export const askAbout = (rows: readonly ProviderRefundRow[], now: Date) =>
  build
    .update(providerRefunds)
    .set({ due_at: now.toISOString(), version: sql`${providerRefunds.version} + 1` })
    .where(
      inArray(
        providerRefunds.id,
        rows.map(({ id }) => id),
      ),
    );

/**
 * Claims refunds with a due attempt or look-up, and counts the attempt in advance. Without a result, they are due again
 * after a minute.
 */
export const takeDueRefunds = (most: number, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return raw<{ id: number }>(sql`
    update provider_refunds
       set due_at = ${at} + interval '1 minute', attempts = attempts + 1, version = version + 1
     where id in (select id from provider_refunds where due_at <= ${at}
                   order by due_at limit ${most} for update skip locked)
    returning id`);
};

export const findRefundsOfUnexpected = (unexpected_id: number) =>
  build
    .select()
    .from(providerRefunds)
    .where(
      and(
        sql`${providerRefunds.session_id} = (select session_id from unexpected_payments where id = ${unexpected_id})`,
        isOfCurrentBooking,
      ),
    );

/** Failed refunds that nobody has paid back by hand. */
const isFailed = and(eq(providerRefunds.state, 'failed'), isNull(providerRefunds.paid_by_hand_at));

/** Matches refunds of orders by their state in replies. */
export function isInState(state: (typeof refundStates)[number]): SQL {
  const of = (condition?: SQL) =>
    build
      .select({ id: providerRefunds.refund_id })
      .from(providerRefunds)
      .where(and(eq(providerRefunds.refund_id, refunds.id), condition));
  if (state === 'manual') return not(exists(of()));
  if (state === 'failed') return exists(of(isFailed));
  if (state !== 'paid_by_hand') return exists(of(eq(providerRefunds.state, state)));
  const isPaid = isNotNull(providerRefunds.paid_by_hand_at);
  return exists(of(and(eq(providerRefunds.state, 'failed'), isPaid)));
}

/** Counts the failed refunds of orders that must be paid back by hand. */
export const countFailedRefunds = () =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(providerRefunds)
    .where(and(isFailed, isNotNull(providerRefunds.refund_id)));

/** Refunds with their payments, and their effect on orders. */
export const findDueRefunds = (ids: readonly number[]) =>
  selectRecords(
    recordOf({
      row: providerRefunds,
      session: recordFrom(
        paymentSessions,
        eq(paymentSessions.id, providerRefunds.session_id),
        getTableColumns(paymentSessions),
      ),
      refund: recordOrNullFrom(
        refunds,
        eq(refunds.id, providerRefunds.refund_id),
        getTableColumns(refunds),
      ),
      unexpected: recordOrNullFrom(
        unexpectedPayments,
        eq(unexpectedPayments.id, providerRefunds.unexpected_id),
        getTableColumns(unexpectedPayments),
      ),
    }),
  )
    .from(providerRefunds)
    .where(inArray(providerRefunds.id, [...ids]));

export interface DueRefund {
  readonly row: ProviderRefundRow;
  readonly session: SessionRow;
  /** Null for the refund of an unexpected payment. */
  readonly refund: RefundRow | null;
  readonly unexpected: UnexpectedRow | null;
}

/** An SQL expression: the time at which the next refund is due, null if there is none. */
export const nextRefundDue: SQL = sql`(select min(due_at) from provider_refunds)`;
