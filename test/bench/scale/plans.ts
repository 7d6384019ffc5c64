import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { startNeonEndpoint } from '../../../src/local/neon/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { Store } from '../../harness/store.ts';

/** Reads the plans that PostgreSQL logs, and keeps the scans of whole tables. */
export class PlanLog {
  #query = '';
  #scans = new Map<string, Set<string>>();
  #marks = new Set<string>();

  take = (line: string): void => {
    const text = /Query Text: (.*)/.exec(line)?.[1];
    if (text !== undefined) this.#query = text;
    else if (line.startsWith('\t') && !line.includes(' -> ')) this.#query += ` ${line.trim()}`;
    const mark = /end-of-plans-\w+/.exec(line)?.[0];
    if (mark) this.#marks.add(mark);
    const table = /Seq Scan on (\w+)/.exec(line)?.[1];
    if (!table) return;
    const queries = this.#scans.get(table) ?? new Set();
    queries.add(this.#query.replace(/\s+/g, ' ').slice(0, 300));
    this.#scans.set(table, queries);
  };

  /** Waits until everything that a database has logged so far was read. */
  async settle(client: Client): Promise<void> {
    const mark = `end-of-plans-${Math.random().toString(36).slice(2)}`;
    await client.query(`do $$ begin raise log '${mark}'; end $$`);
    while (!this.#marks.has(mark)) await wait(10);
  }

  scansOf = (table: string): readonly string[] => [...(this.#scans.get(table) ?? [])];
}

/** A scan of a whole large table, and the statement that makes it. */
export interface Scan {
  readonly table: string;
  readonly statement: string;
}

/**
 * Explains every statement that `use` runs in a database, including those within functions and triggers.
 * @returns the scans of whole tables with more rows than given
 */
export async function scansDuring(
  databaseUrl: string,
  largest: number,
  log: PlanLog,
  use: (fixture: StoreFixture) => Promise<void>,
): Promise<Scan[]> {
  await using closers = new AsyncDisposableStack();
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  closers.defer(() => admin.end());
  const name = new URL(databaseUrl).pathname.slice(1);
  await admin.query(`alter database ${name} set session_preload_libraries = 'auto_explain'`);
  closers.defer(async () => void (await admin.query(`alter database ${name} reset all`)));
  await admin.query(`alter database ${name} set auto_explain.log_min_duration = 0`);
  await admin.query(`alter database ${name} set auto_explain.log_nested_statements = on`);

  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const neon = await startNeonEndpoint({ resolve: () => databaseUrl });
  const store = new Store(database, neon, databaseUrl);
  closers.defer(() => store.close());
  store.clock.set(new Date().toISOString());
  await use(await StoreFixture.open(store));
  await log.settle(admin);
  const tables = [...(await tablesAbove(admin, largest))];
  return tables.flatMap((table) => log.scansOf(table).map((statement) => ({ table, statement })));
}

export async function tablesAbove(client: Client, rows: number): Promise<Set<string>> {
  const { rows: found } = await client.query<{ relname: string }>(
    'select relname from pg_class where relkind = $1 and reltuples > $2',
    ['r', rows],
  );
  return new Set(found.map(({ relname }) => relname));
}
