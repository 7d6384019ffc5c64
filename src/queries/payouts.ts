import { eq } from 'drizzle-orm';
import * as filter from '../kernel/database/filters.ts';
import { payouts, type CommissionColumns } from '../schema/commissions.ts';
import { users } from '../schema/users.ts';
import { type Write, build } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { payoutStatuses } from '../schema/lists.ts';
import type { PayoutRow } from '../domain/payout/rules.ts';
import type { PayoutQuery } from '../domain/payout/schemas.ts';
import { payCommissions, unpayCommissions } from './commission-payouts.ts';
import { lockOrdersOfPayouts } from './order-guards.ts';

const select = () =>
  build
    .select({ payout: payouts, affiliate: { id: users.id, display_name: users.display_name } })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.affiliate_id));

export const findPayout = (id: number) => select().where(eq(payouts.id, id));

const filters = ({
  affiliate_id,
  status,
  date_start,
  date_end,
}: PayoutQuery): ConditionsFor<PayoutQuery> => ({
  ...filter.equals(payouts, { affiliate_id, status }),
  date_start: filter.since(payouts.created_at, date_start),
  date_end: filter.until(payouts.created_at, date_end),
});

export const listPayouts = (query: PayoutQuery, window: filter.Window) =>
  filter.paged(select().$dynamic(), payouts.id, filters(query), window, {
    time: filter.isDated(query) ? payouts.created_at : undefined,
  });

/** The numbers of all payouts and of each status are kept; other matches are counted. */
export const countPayouts = (query: PayoutQuery) =>
  filter.countRows(
    filter.inStatuses('payouts', payoutStatuses, query.status),
    payouts,
    filters(query),
    ['status'],
  );

/**
 * Writes a payout and pays each of its commissions, if every one of them is still payable for the
 * same amount. Where another payout came first, the decision is made again.
 */
export const insertPayout = (
  { payout }: PayoutRow,
  rows: readonly CommissionColumns[],
  now: Date,
): Write[] => [build.insert(payouts).values(payout), payCommissions(payout, rows, now)];

/**
 * Cancels a payout: its commissions can be paid out again, or wait with their order where that is no
 * longer completed.
 */
export const cancelPayout = (before: PayoutRow, { payout }: PayoutRow): Write[] => [
  updateRow(payouts, before.payout, payout),
  lockOrdersOfPayouts([payout.id]),
  ...unpayCommissions([payout.id], payout.updated_at),
];
