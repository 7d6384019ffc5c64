import { type SQL, and, desc, eq, inArray, sql } from 'drizzle-orm';
import { type Window, countRows, equals, inStatuses, paged } from '../kernel/database/filters.ts';
import { recordFrom, recordOf, selectRecords } from '../kernel/database/records.ts';
import { type Argument, build } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { isOfPayment } from './provider-refunds.ts';
import type { UnexpectedQuery } from '../domain/payment/schemas.ts';
import { orders } from '../schema/orders.ts';
import { type UnexpectedRow, unexpectedPayments, unexpectedStatuses } from '../schema/payments.ts';

export const findUnexpected = (id: number) =>
  build.select().from(unexpectedPayments).where(eq(unexpectedPayments.id, id));

export const orderOfUnexpected = (id: number): SQL =>
  sql`(select order_id from unexpected_payments where id = ${id})`;

export const findUnexpectedOf = (session_id: number) =>
  build
    .select()
    .from(unexpectedPayments)
    .where(eq(unexpectedPayments.session_id, session_id))
    .orderBy(desc(unexpectedPayments.id));

/** Undecided money of another amount or currency than the order's. */
export const findOtherAmounts = (order_id: Argument<number>) =>
  build
    .select({ id: unexpectedPayments.id })
    .from(unexpectedPayments)
    .where(
      and(
        eq(unexpectedPayments.order_id, order_id),
        eq(unexpectedPayments.status, 'open'),
        inArray(unexpectedPayments.reason, ['amount', 'currency']),
      ),
    );

/** An SQL expression: the sum that the provider or the store has returned of a payment. */
const refundedTotal = sql`(
  select coalesce(sum(provider_refunds.amount), 0) from provider_refunds
   where session_id = unexpected_payments.session_id and ${isOfPayment}
     and (state <> 'failed' or paid_by_hand_at is not null and error is distinct from 'reversed'))`;

/** An SQL condition: somebody accepted money that paid no order, and the store still has it. */
export const isKept: SQL = sql`(
  unexpected_payments.status = 'accepted' and unexpected_payments.resolved_by_type <> 'system'
  and unexpected_payments.amount > ${refundedTotal}
  and exists (select from payment_sessions p where p.id = unexpected_payments.session_id
                 and p.booked_at is null and p.paid_amount > 0)
  and unexpected_payments.resolved_at = (
        select max(u.resolved_at) from unexpected_payments u
         where u.session_id = unexpected_payments.session_id and u.reason <> 'reversed'))`;

export const findKept = (order_id: Argument<number>) =>
  build
    .select()
    .from(unexpectedPayments)
    .where(and(eq(unexpectedPayments.order_id, order_id), isKept));

export const insertUnexpected = (row: UnexpectedRow) =>
  build.insert(unexpectedPayments).values(row);

export const saveUnexpected = (before: UnexpectedRow, after: UnexpectedRow) =>
  updateRow(unexpectedPayments, before, after);

const filters = ({ order_id, status }: UnexpectedQuery): ConditionsFor<UnexpectedQuery> =>
  equals(unexpectedPayments, { order_id, status });

/** The orders may be deleted. */
export const listUnexpected = (query: UnexpectedQuery, window: Window) =>
  paged(
    selectRecords(
      recordOf({
        payment: unexpectedPayments,
        refunded_total: refundedTotal.mapWith(Number),
        order: recordFrom(orders, eq(orders.id, unexpectedPayments.order_id), {
          id: orders.id,
          number: orders.number,
          deleted_at: orders.deleted_at,
        }),
      }),
    )
      .from(unexpectedPayments)
      .$dynamic(),
    unexpectedPayments.id,
    filters(query),
    window,
  );

export const countUnexpected = (query: UnexpectedQuery) =>
  countRows(
    inStatuses('unexpected_payments', unexpectedStatuses, query.status),
    unexpectedPayments,
    filters(query),
    ['status'],
  );
