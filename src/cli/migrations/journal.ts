import type { Client } from 'pg';
import type { Migration } from './files.ts';

/** An applied migration; its name is empty if no known file matches. */
export interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
}

const journal = 'drizzle.__drizzle_migrations';

/** Reads drizzle's table, if it exists. Rows that drizzle wrote have no names, and are matched by time or text. */
export async function readJournal(
  client: Client,
  migrations: readonly Migration[],
): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query(`select where to_regclass('${journal}') is not null`);
  if (found.length === 0) return [];
  const { rows } = await client.query<Record<'id' | 'name' | 'hash' | 'at', string>>(
    `select id, to_jsonb(m) ->> 'name' as name, hash, created_at as at from ${journal} m order by id`,
  );
  return rows.map(({ id, name, hash, at }) => ({
    id: Number(id),
    hash,
    name: name ?? (migrations.find(isOf(at, hash)) ?? { name: '' }).name,
  }));
}

const isOf =
  (at: string, hash: string) =>
  (one: Migration): boolean =>
    one.when === Number(at) || one.hash === hash || one.formerHashes?.includes(hash) === true;

/**
 * Creates the table, or adds and fills its column for names. A complete table is only read, since a copy of the
 * database may lock it for hours.
 */
export async function keepJournal(
  client: Client,
  applied: readonly AppliedMigration[],
): Promise<void> {
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('${journal}') and attname = 'name'`,
  );
  if (rows.length === 0)
    await client.query(`create schema if not exists drizzle;
      create table if not exists ${journal}
        (id serial primary key, hash text not null, created_at bigint);
      alter table ${journal} add column name text`);
  await client.query(
    `update ${journal} m set name = f.name from unnest($1::int[], $2::text[]) as f (id, name)
      where m.id = f.id and m.name is null and f.name <> ''`,
    [applied.map(({ id }) => id), applied.map(({ name }) => name)],
  );
}
