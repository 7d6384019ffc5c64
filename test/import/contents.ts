import type { Store } from '../harness/store.ts';

/** The number of rows and a hash of each table, whenever an import started. */
export async function contents({ database }: Store): Promise<Record<string, unknown>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r'
        and relnamespace = 'public'::regnamespace and relname not in ('imports', 'settings')`,
  );
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await database.query(
      `with found as (
         select md5(replace(t::text, (select min(started_at)::text from imports), 'started')) as hash
           from ${name} t
       ) select count(*) as n, md5(string_agg(hash, '' order by hash)) as hash from found`,
    );
    all[name] = rows[0];
  }
  const { rows: progress } = await database.query(
    'select entity, done, counts from imports order by entity',
  );
  return { ...all, progress };
}
