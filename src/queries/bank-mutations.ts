import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Window, countRows, equals, inStatuses, paged } from '../kernel/database/filters.ts';
import { type Argument, build } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { MutationQuery } from '../domain/payment/mutation-schemas.ts';
import { type BankMutationRow, bankMutations, mutationStatuses } from '../schema/bank-mutations.ts';

export const findMutation = (id: number) =>
  build.select().from(bankMutations).where(eq(bankMutations.id, id));

export const findKnownMutations = (source: string, ids: readonly string[]) =>
  build
    .select()
    .from(bankMutations)
    .where(and(eq(bankMutations.source, source), inArray(bankMutations.mutation_id, [...ids])));

/** The mutations that made an order's last payment. */
export const findMatchedMutations = (order_id: Argument<number>) =>
  build
    .select()
    .from(bankMutations)
    .where(
      and(
        eq(bankMutations.order_id, order_id),
        eq(bankMutations.status, 'matched'),
        sql`${bankMutations.updated_at} >= (select paid_at from orders where id = ${order_id})`,
      ),
    );

export const insertMutation = (row: BankMutationRow) => build.insert(bankMutations).values(row);

export const saveMutation = (before: BankMutationRow, after: BankMutationRow) =>
  updateRow(bankMutations, before, after);

const filters = ({ status, order_id }: MutationQuery): ConditionsFor<MutationQuery> =>
  equals(bankMutations, { status, order_id });

export const listMutations = (query: MutationQuery, window: Window) =>
  paged(build.select().from(bankMutations).$dynamic(), bankMutations.id, filters(query), window);

export const countMutations = (query: MutationQuery) =>
  countRows(
    inStatuses('bank_mutations', mutationStatuses, query.status),
    bankMutations,
    filters(query),
    ['status'],
  );
