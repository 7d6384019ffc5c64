import { eq, inArray, sql } from 'drizzle-orm';
import * as filter from '../kernel/database/filters.ts';
import { payouts } from '../schema/commissions.ts';
import { users } from '../schema/users.ts';
import { type Argument, type Write, build, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { payoutStatuses } from '../schema/lists.ts';
import type { PayoutRow } from '../domain/payout/rules.ts';
import type { PayoutQuery } from '../domain/payout/schemas.ts';
import { payCommissions, publishPaid, unpayCommissions } from './commission-payouts.ts';
import { returnLine } from './payout-lines.ts';
import { lockOrdersOfPayouts } from './order-guards.ts';

const select = () =>
  build
    .select({ payout: payouts, affiliate: { id: users.id, display_name: users.display_name } })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.affiliate_id));

export const findPayout = (id: number) => select().where(eq(payouts.id, id));

type ListedBy = Omit<PayoutQuery, 'affiliate_id'> & {
  readonly affiliate_id?: Argument<number> | undefined;
};

const filters = ({
  affiliate_id,
  status,
  date_start,
  date_end,
}: ListedBy): ConditionsFor<ListedBy> => ({
  ...filter.equals(payouts, { affiliate_id, status }),
  date_start: filter.since(payouts.created_at, date_start),
  date_end: filter.until(payouts.created_at, date_end),
});

export const listPayouts = (query: ListedBy, window: filter.Window) =>
  filter.paged(select().$dynamic(), payouts.id, filters(query), window, {
    time: filter.isDated(query) ? payouts.created_at : undefined,
  });

export const countPayouts = (query: PayoutQuery) =>
  filter.countRows(
    filter.inStatuses('payouts', payoutStatuses, query.status),
    payouts,
    filters(query),
    ['status'],
  );

export const findPayoutsOf = (ids: readonly number[]) =>
  select().where(inArray(payouts.id, [...ids]));

/**
 * Writes a payout and pays its commissions, if their sum is unchanged. After another payout, everything is decided
 * again.
 */
export const insertPayout = ({ payout }: PayoutRow, now: Date): Write[] => [
  build.insert(payouts).values(payout),
  payCommissions(payout, {
    affiliate_id: payout.affiliate_id,
    date_end: payout.date_end ?? undefined,
    now,
  }),
  publishPaid(sql`${payout.id}`, now),
];

/** Writes the results of lines to their payouts, and frees the commissions of returned ones. */
export function savePayouts(
  pairs: readonly { before: PayoutRow; after: PayoutRow }[],
  now: Date,
): Write[] {
  const returned = pairs
    .filter(({ before, after }) => before.payout.status !== after.payout.status)
    .map(({ after }) => after.payout.id);
  return [
    ...(returned.length > 0 ? [lockOrdersOfPayouts(returned)] : []),
    {
      code: 'rest_conflict',
      statement: raw(sql`with saved as (
          update payouts p set status = w.status, cancelled_at = w.cancelled_at,
                 reference = w.reference, updated_at = w.updated_at, version = w.version
            from jsonb_to_recordset(${JSON.stringify(pairs.map(({ after }) => after.payout))}::jsonb)
                 as w (id bigint, status text, cancelled_at timestamptz, reference text,
                       updated_at timestamptz, version bigint)
           where p.id = w.id and p.version = w.version - 1
          returning p.id
        ) select svc_guard((select count(*) from saved) = ${pairs.length}, 'rest_conflict')`),
    },
    ...(returned.length > 0 ? unpayCommissions(returned, now.toISOString()) : []),
  ];
}

/** Cancels a payout. Its commissions can be paid out again, or wait with their order if it is no longer completed. */
export const cancelPayout = (before: PayoutRow, { payout }: PayoutRow): Write[] => [
  updateRow(payouts, before.payout, payout),
  lockOrdersOfPayouts([payout.id]),
  ...unpayCommissions([payout.id], payout.updated_at),
  ...returnLine(payout.id, payout.updated_at),
];
