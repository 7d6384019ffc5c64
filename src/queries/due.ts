import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../kernel/database/statements.ts';

/** The time of work that isn't urgent: long past if there is some, otherwise none. */
export const atLeisure = (some: SQL): SQL => sql`case when ${some} then to_timestamp(0) end`;

/** The time of work that is never due. */
export const never: SQL = sql`null::timestamptz`;

/**
 * Moments by name, in milliseconds since 1970; those that never come are left out.
 * @param moments SQL expressions
 */
export function findMoments(moments: Readonly<Record<string, SQL>>) {
  const rows = Object.entries(moments).map(([name, at]) => sql`(${name}, ${at})`);
  return raw<{ name: string; at: number }>(sql`
    select name, ceil(extract(epoch from at) * 1000)::float8 as at
      from (values ${sql.join(rows, sql`, `)}) moments (name, at) where at is not null`);
}
