import { type SQL, and, asc, eq, sql } from 'drizzle-orm';
import { countRows, inStatuses, paged } from '../../db/filters.ts';
import { confirmations } from '../../db/schema/payments.ts';
import { type Write, build, guard } from '../../db/statements.ts';
import type { PageWindow } from '../../http/pagination.ts';
import { confirmationStatuses } from '../../lib/statuses.ts';
import type { ConfirmationRow } from './rules.ts';
import type { ConfirmationQuery } from './schemas.ts';

export const findConfirmation = (id: number) =>
  build.select().from(confirmations).where(eq(confirmations.id, id));

/** The order of a confirmation, for the statements that load an order. */
export const orderOf = (id: number): SQL =>
  sql`(select order_id from confirmations where id = ${id})`;

const filters = ({ order_id, user_id, status }: ConfirmationQuery) => ({
  order_id: order_id === undefined ? undefined : eq(confirmations.order_id, order_id),
  user_id: user_id === undefined ? undefined : eq(confirmations.user_id, user_id),
  status: status && eq(confirmations.status, status),
});

export const listConfirmations = (query: ConfirmationQuery, window: PageWindow) =>
  paged(build.select().from(confirmations).$dynamic(), confirmations.id, filters(query), window);

/** How many confirmations match; all of them, and those of each status, are counted already. */
export const countConfirmations = (query: ConfirmationQuery) =>
  countRows(
    inStatuses('confirmations', confirmationStatuses, query.status),
    confirmations,
    filters(query),
    ['status'],
  );

/** Takes who paid from which account, and the proof of it, out of a user's confirmations. */
export const forgetPayer = (user_id: number, now: Date) =>
  build
    .update(confirmations)
    .set({
      detail: sql`${confirmations.detail} || '{"sender": "", "account_number": "", "proof": "", "note": ""}'`,
      updated_at: now.toISOString(),
    })
    .where(eq(confirmations.user_id, user_id));

/** The first confirmation that gave this proof; none for an empty one. */
export const findSameProof = (proof: string) =>
  build
    .select({ id: confirmations.id })
    .from(confirmations)
    .where(
      and(
        sql`${confirmations.detail} ->> 'proof' = ${proof}`,
        sql`${confirmations.detail} ->> 'proof' <> ''`,
      ),
    )
    .orderBy(asc(confirmations.id))
    .limit(1);

/** Writes a confirmation in the place of what was pending of its order. */
export const insertConfirmation = (confirmation: ConfirmationRow): Write[] => [
  build
    .update(confirmations)
    .set({ status: 'superseded', updated_at: confirmation.created_at })
    .where(
      and(eq(confirmations.order_id, confirmation.order_id), eq(confirmations.status, 'pending')),
    ),
  build.insert(confirmations).values(confirmation),
];

/** Writes a review, once: of a confirmation that is pending still. */
export const saveReview = (confirmation: ConfirmationRow): Write<'confirmation_not_pending'> =>
  guard(
    build
      .update(confirmations)
      .set(confirmation)
      .where(and(eq(confirmations.id, confirmation.id), eq(confirmations.status, 'pending')))
      .returning({ id: confirmations.id }),
    'confirmation_not_pending',
  );

export const removeConfirmation = (id: number): Write =>
  guard(
    build.delete(confirmations).where(eq(confirmations.id, id)).returning({ id: confirmations.id }),
    'rest_conflict',
  );
