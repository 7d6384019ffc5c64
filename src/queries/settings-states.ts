import { sql } from 'drizzle-orm';
import { build, guard, raw } from '../kernel/database/statements.ts';
import { settings } from '../schema/platform.ts';
import type { StatePart } from '../domain/user/events.ts';

/** Seconds after a moment by which everything that was decided before the moment is committed. */
export const settling = 15;

/** Times at which a user's state changes by itself. Each needs an index. */
const sources = [
  ['access_grants', 'end_active', `status = 'active'`, 'access'],
  ['access_grants', '"start"', `status = 'active' and "start" > updated_at`, 'access'],
  ['licenses', 'expires_at', `status = 'active'`, 'licenses'],
] as const;

/** The position of the last report; a day ago before the first one. */
const told = (now: Date) => sql`select
    coalesce(states_told_at, ${now.toISOString()}::timestamptz - interval '1 day') as at,
    coalesce(states_told_user, 0) as user_id from settings`;

const following = (column: string) =>
  sql.raw(`${column} >= t.at and (${column}, user_id) > (t.at, t.user_id)`);

export const nextStateChange = (now: Date) => {
  const each = sources.map(
    ([table, column, condition]) =>
      sql`(select min(${sql.raw(column)}) from ${sql.raw(`${table} where ${condition}`)} and ${following(column)})`,
  );
  return sql`(select least(${sql.join(each, sql`, `)}) + make_interval(secs => ${settling})
    from (${told(now)}) t)`;
};

/** Reads the next state changes after the reported ones. */
export const findStateChanges = (until: Date, now: Date, limit: number) => {
  const each = sources.map(
    ([table, column, condition, part]) => sql`(
      select ${sql.raw(column)} as at, user_id, ${part}::text as part
        from ${sql.raw(`${table} where ${condition}`)} and ${following(column)}
         and ${sql.raw(column)} <= ${until.toISOString()}
       order by 1, 2 limit ${limit})`,
  );
  return raw<{ at: string; user_id: string; part: StatePart }>(sql`
    select to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, c.user_id, c.part
      from (${told(now)}) t cross join lateral (${sql.join(each, sql` union all `)}) c
     order by c.at, c.user_id limit ${limit}`);
};

/** The last reported state change. */
export interface ToldStates {
  readonly states_told_at: string | null;
  readonly states_told_user: number | null;
}

export const findToldStates = () =>
  build
    .select({
      states_told_at: settings.states_told_at,
      states_told_user: settings.states_told_user,
    })
    .from(settings);

/** Stores the position of a report, unless another run did. */
export const noteToldStates = (before: ToldStates, after: ToldStates) =>
  guard(
    build
      .update(settings)
      .set(after)
      .where(
        sql`(states_told_at, states_told_user) is not distinct from
          (${before.states_told_at}::timestamptz, ${before.states_told_user}::bigint)`,
      )
      .returning({ id: settings.id }),
    'rest_conflict',
  );
