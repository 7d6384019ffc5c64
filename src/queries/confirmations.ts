import { type SQL, and, desc, asc, eq, sql } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import * as filter from '../kernel/database/filters.ts';
import { confirmations, type ConfirmationRow } from '../schema/payments.ts';
import { type Write, build, lockValue, raw } from '../kernel/database/statements.ts';
import { deleteRow, updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { confirmationStatuses } from '../schema/lists.ts';
import type { ConfirmationQuery } from '../domain/confirmation/schemas.ts';
import { selectReviews } from './confirmation-reviews.ts';

export const findConfirmation = (id: number) =>
  build.select().from(confirmations).where(eq(confirmations.id, id));

export const orderOf = (id: number): SQL =>
  sql`(select order_id from confirmations where id = ${id})`;

const filters = ({
  order_id,
  user_id,
  status,
  date_start,
  date_end,
}: ConfirmationQuery): ConditionsFor<ConfirmationQuery> => ({
  ...filter.equals(confirmations, { order_id, user_id, status }),
  date_start: filter.since(confirmations.created_at, date_start),
  date_end: filter.until(confirmations.created_at, date_end),
});

const listed = <T extends PgSelect>(select: T, query: ConfirmationQuery, window: filter.Window) =>
  filter.paged(select, confirmations.id, filters(query), window, {
    time: filter.isDated(query) ? confirmations.created_at : undefined,
  });

export const listConfirmations = (query: ConfirmationQuery, window: filter.Window) =>
  listed(build.select().from(confirmations).$dynamic(), query, window);

/** Lists confirmations with the records that a reviewer compares them with. */
export const listReviews = (query: ConfirmationQuery, window: filter.Window) =>
  listed(selectReviews().$dynamic(), query, window);

export const findReview = (id: number) => selectReviews().where(eq(confirmations.id, id));

export const countConfirmations = (query: ConfirmationQuery) =>
  filter.countRows(
    filter.inStatuses('confirmations', confirmationStatuses, query.status),
    confirmations,
    filters(query),
    ['status'],
  );

/** The time at which the oldest pending confirmation was made. */
export const findLongestPending = () =>
  build
    .select({ at: confirmations.created_at })
    .from(confirmations)
    .where(eq(confirmations.status, 'pending'))
    .orderBy(asc(confirmations.id))
    .limit(1);

const changedAt = (now: Date) => ({
  updated_at: now.toISOString(),
  version: sql`${confirmations.version} + 1`,
});

const hasProof = (proof: string) =>
  and(
    sql`${confirmations.detail} ->> 'proof' = ${proof}`,
    sql`${confirmations.detail} ->> 'proof' <> ''`,
  );

/** The first confirmation with a proof; none for an empty proof. */
export const findSameProof = (proof: string) =>
  build
    .select({ id: confirmations.id })
    .from(confirmations)
    .where(hasProof(proof))
    .orderBy(asc(confirmations.id))
    .limit(1);

/** Serialises confirmations with a proof, and requires that none has it yet. */
export const holdNewProof = (proof: string): Write[] =>
  proof === ''
    ? []
    : [
        lockValue(`proof:${proof}`),
        {
          code: 'rest_conflict',
          statement: raw(sql`select svc_guard(not exists (
            select from confirmations where ${hasProof(proof)}), 'rest_conflict')`),
        },
      ];

const isPendingOf = (order_id: number | SQL) =>
  and(eq(confirmations.order_id, order_id), eq(confirmations.status, 'pending'));

export const findPending = (order_id: number | SQL) =>
  build.select({ id: confirmations.id }).from(confirmations).where(isPendingOf(order_id));

/** The outcome of an order's last reported payment. */
export const findReported = (order_id: number | SQL) =>
  build
    .select({ status: confirmations.status, reject_reason: confirmations.reject_reason })
    .from(confirmations)
    .where(eq(confirmations.order_id, order_id))
    .orderBy(desc(confirmations.id))
    .limit(1);

export const supersedePending = (order_id: number, now: Date) =>
  build
    .update(confirmations)
    .set({ status: 'superseded', ...changedAt(now) })
    .where(isPendingOf(order_id));

/** Sets the expected amount of an order's pending confirmations to its present total. */
export const expectTotal = ({ id, grand_total }: { id: number; grand_total: number }, now: Date) =>
  build
    .update(confirmations)
    .set({
      amount_expected: grand_total,
      amount_matches: sql`coalesce((${confirmations.detail} ->> 'total')::bigint = ${grand_total}, false)`,
      ...changedAt(now),
    })
    .where(isPendingOf(id));

export const insertConfirmation = (confirmation: ConfirmationRow) =>
  build.insert(confirmations).values(confirmation);

export const saveConfirmation = (before: ConfirmationRow, after: ConfirmationRow) =>
  updateRow(confirmations, before, after);

export const removeConfirmation = (before: ConfirmationRow) => deleteRow(confirmations, before);
