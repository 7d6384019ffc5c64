import type { Store } from './store.ts';

/** Makes the database fail whenever a row is changed, as a mistake in the service would. @returns what mends it */
export async function breakRow(
  store: Store,
  table: string,
  id: number,
): Promise<() => Promise<unknown>> {
  await store.database.query(`
    create or replace function break_row() returns trigger language plpgsql as $$
    begin raise exception 'broken'; end $$;
    create trigger broken before update on ${table}
      for each row when (old.id = ${id}) execute function break_row()`);
  return () => store.database.query(`drop trigger broken on ${table}`);
}
