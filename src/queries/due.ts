import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../kernel/database/statements.ts';

/** The due time of work that isn't urgent: long past if there is some, otherwise null. */
export const atLeisure = (some: SQL): SQL => sql`case when ${some} then to_timestamp(0) end`;

export const never: SQL = sql`null::timestamptz`;

/**
 * Reads times by name, in milliseconds since 1970, without those that are null.
 * @param moments SQL expressions
 */
export function findMoments(moments: Readonly<Record<string, SQL>>) {
  const rows = Object.entries(moments).map(([name, at]) => sql`(${name}, ${at})`);
  return raw<{ name: string; at: number }>(sql`
    select name, ceil(extract(epoch from at) * 1000)::float8 as at
      from (values ${sql.join(rows, sql`, `)}) moments (name, at) where at is not null`);
}
