import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Window, allOf, equals, paged } from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { SuppressionQuery } from '../domain/message/suppressions.ts';
import type { Receipt } from '../providers/messages/sender.ts';
import { type NewSuppression, messageSuppressions, messages } from '../schema/messages.ts';
import { reminders } from '../schema/reminders.ts';
import { isPhone } from './phones.ts';

/** The messages of receipts, with their reminders. */
export function findReceived(sender: string, receipts: readonly Receipt[]) {
  const ids = receipts.map(({ provider_id }) => provider_id);
  const keys = receipts.flatMap(({ key }) => key ?? []);
  return build
    .select({ message: messages, reminder: reminders })
    .from(messages)
    .leftJoin(reminders, eq(reminders.id, messages.reminder_id))
    .where(
      and(
        eq(messages.sender, sender),
        or(inArray(messages.provider_id, [...new Set(ids)]), inArray(messages.key, keys)),
      ),
    );
}

/** The message of an unsubscribe link. */
export const findByKey = (key: string) =>
  build
    .select()
    .from(messages)
    .where(sql`${messages.key} = ${key}::uuid`);

/** Suppresses an address. A suppression for the same reason stays unchanged. */
export const insertSuppression = (row: NewSuppression) =>
  build.insert(messageSuppressions).values(row).onConflictDoNothing();

const filters = ({
  medium,
  address,
  reason,
}: SuppressionQuery): ConditionsFor<SuppressionQuery> => ({
  ...equals(messageSuppressions, { medium, reason }),
  address:
    address === undefined
      ? undefined
      : or(eq(messageSuppressions.address, address), isPhone(messageSuppressions.address, address)),
});

export const listSuppressions = (query: SuppressionQuery, window: Window) =>
  paged(
    build.select().from(messageSuppressions).$dynamic(),
    messageSuppressions.id,
    filters(query),
    window,
  );

export const countSuppressions = (query: SuppressionQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(messageSuppressions)
    .where(allOf(filters(query)));

/** Lifts a suppression. Returns no row if there was none. */
export const removeSuppression = (id: number) =>
  build
    .delete(messageSuppressions)
    .where(eq(messageSuppressions.id, id))
    .returning({ id: messageSuppressions.id });

export const findSuppression = (id: number) =>
  build.select().from(messageSuppressions).where(eq(messageSuppressions.id, id));
