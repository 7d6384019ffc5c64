import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { once } from '../lib/once.ts';
import { type PhonePart, dialledBefore, numberIn, phonePart } from '../lib/phone.ts';
import { phoneDigits } from '../schema/users.ts';

const home = once(
  () => sql`(select p ->> 0 as code, p ->> 1 as trunk
  from (select ${JSON.stringify(dialledBefore())}::jsonb -> country as p from settings) s)`,
);

/** The store's `code` and `trunk`, with the `rest` of a phone that is dialled after either. */
function dialled({ digits, national, code }: PhonePart): SQL {
  const rest =
    national === undefined
      ? sql`case when trunk <> '' and starts_with(${digits}::text, trunk)
            then substr(${digits}::text, length(trunk) + 1)
          when starts_with(${digits}::text, code)
            then ltrim(substr(${digits}::text, length(code) + 1), case trunk when '0' then trunk else '' end)
          end`
      : sql`case when code = ${code}::text then ${national}::text end`;
  return sql`(select code, trunk, ${rest} as rest from ${home()} home)`;
}

/**
 * Matches a part of the phone of a user `u`, in any spelling; undefined if the words are no part of a phone. The
 * prefixes are those of the store's country.
 */
export function hasPhonePart(words: string): SQL | undefined {
  const part = phonePart(words);
  return (
    part &&
    sql`u.phone <> '' and ${phoneDigits(sql`u.phone`)} like any (array(
      select ${`%${part.digits}%`}::text union all
      select before || rest || '%' from ${dialled(part)} dialled,
        unnest(array['', trunk, code, code || trunk, '00' || code]) before
       where length(rest) >= 3))`
  );
}

/** Compares a column in E.164 with a phone in any spelling; undefined if the text is no phone. */
export function isPhone(column: PgColumn, text: string): SQL | undefined {
  const part = phonePart(numberIn(text));
  if (!part) return undefined;
  const { digits, national } = part;
  if (national !== undefined) return sql`${column} = ${`+${digits}`}`;
  return sql`${column} = (select '+' || coalesce(code || rest, code || ${digits}::text, ltrim(${digits}::text, '0'))
    from ${dialled(part)} dialled)`;
}

/** Compares a recipient as typed with a phone in any spelling; undefined if the text is no phone. */
export function isPhoneTyped(column: PgColumn, text: string): SQL | undefined {
  const part = phonePart(numberIn(text));
  return (
    part &&
    sql`position('@' in ${column}) = 0 and ${phoneDigits(column)} = any (array(
      select ${part.digits}::text union all
      select before || rest from ${dialled(part)} dialled,
        unnest(array['', trunk, code, code || trunk, '00' || code]) before
       where rest <> ''))`
  );
}
