import { type SQL, sql } from 'drizzle-orm';
import { type Write, raw } from '../kernel/database/statements.ts';

/**
 * Notes that the sums of lines of drafts move, and holds them until the commit. Where a run was confirmed or discarded
 * in between, everything is decided again.
 */
export const moveLines = (ids: readonly number[]): Write[] =>
  ids.length === 0
    ? []
    : [
        {
          code: 'rest_conflict',
          statement: raw(sql`with moved as (${bumped(sql`id = any (${sql.param(ids)}::bigint[])`)})
            select svc_guard((select count(*) from moved) = ${ids.length}, 'rest_conflict')`),
        },
      ];

/** Notes that sums move of which commissions of some orders, which are held, are part. */
export const moveLinesOf = (orders: SQL) =>
  raw(
    bumped(sql`id in (select payout_line_id from commissions
      where order_id in (${orders}) and payout_line_id is not null)`),
  );

const bumped = (which: SQL) => sql`update payout_lines l set moves = l.moves + 1
  from (select id from payout_lines where status = 'draft' and ${which}
         order by id for no key update) held
 where l.id = held.id returning l.id`;
