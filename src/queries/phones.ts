import { type SQL, sql } from 'drizzle-orm';
import { dialledBefore, phonePart } from '../lib/phone.ts';
import { phoneDigits } from '../schema/users.ts';

const home = sql`(select p ->> 0 as code, p ->> 1 as trunk
  from (select ${JSON.stringify(dialledBefore)}::jsonb -> country as p from settings) s)`;

/**
 * That the phone of a user `u` has a part, in whatever spelling; undefined where words are no part of a
 * phone. The store's country tells what is dialled before its numbers.
 */
export function hasPhonePart(words: string): SQL | undefined {
  const part = phonePart(words);
  if (!part) return undefined;
  const { digits, national, code } = part;
  const rest =
    national === undefined
      ? sql`case when trunk <> '' and starts_with(${digits}::text, trunk)
            then substr(${digits}::text, length(trunk) + 1)
          when starts_with(${digits}::text, code) then substr(${digits}::text, length(code) + 1) end`
      : sql`case when code = ${code}::text then ${national}::text end`;
  return sql`u.phone <> '' and ${phoneDigits(sql`u.phone`)} like any (array(
      select ${`%${digits}%`}::text union all
      select before || rest || '%' from (select code, trunk, ${rest} as rest from ${home} home) dialled,
        unnest(array['', trunk, code, code || trunk, '00' || code]) before
       where length(rest) >= 3))`;
}
