import type { Store } from './store.ts';

/**
 * Makes the database fail at each change of a row, as a bug would.
 * @returns a function that repairs it
 */
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
