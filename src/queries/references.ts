import { sql } from 'drizzle-orm';
import { raw, sendIf } from '../kernel/database/statements.ts';
import { type Refusal, unknownReference } from '../kernel/errors/errors.ts';
import type { References } from '../schema/references.ts';

/** Returns references to unknown records. A deleted record is known while its row exists. */
export function findUnknown(references: References) {
  const lookups = Object.entries(references).flatMap(([param, { of, ids = [] }]) =>
    ids.length === 0
      ? []
      : sql`select ${param}::text as param, named.id
              from unnest(${sql.param([...ids])}::bigint[]) named (id)
             where not exists (select from ${sql.identifier(of)} t where t.id = named.id)`,
  );
  return sendIf(lookups.length > 0, () =>
    raw<{ param: string; id: string }>(sql.join(lookups, sql` union all `)),
  );
}

/** Refuses a body that names unknown records. Earlier references of the record may stay. */
export function unknownRefusal(
  unknown: { readonly rows: readonly { param: string; id: string }[] },
  before: References = {},
): Refusal<'rest_not_found'> | undefined {
  const first = unknown.rows.find(({ param, id }) => !before[param]?.ids?.includes(Number(id)));
  return first && unknownReference(first.param);
}
