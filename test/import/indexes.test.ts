import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { load } from '../../packages/import/src/load.ts';
import { stage } from '../../packages/import/src/staging.ts';
import { verify } from '../../packages/import/src/verify.ts';
import { type Store, openStore } from '../harness/store.ts';
import type { Table } from './dump-writer.ts';
import { kinds } from './mutated.ts';
import { writeDump } from './shops.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexes-test-'));

const stores: Store[] = [];

afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

/** Adds people who bought nothing. */
function crowded(table: Table): Table {
  const [first] = table.rows;
  if (table.name !== 'wp_users' || !first) return table;
  const id = table.columns.indexOf('ID');
  const more = Array.from({ length: 50 }, (_, i) => first.with(id, String(1000 + i)));
  return { ...table, rows: [...table.rows, ...more] };
}

/** More runs than this are one for each row. */
const few = 30;

/** Statements that may scan: the tables of categories are small, and hardly any row lacks an id. */
const small = /term_taxonomy|"\w+ without ids"|e\.entity = 'settings'/;

test.each(Object.entries(kinds))(
  'An import of %s finds rows by an index, in a number of steps that follows the size of the shop',
  { timeout: 60_000 },
  async (kind, { importer, shop }) => {
    const path = join(folder, `${kind}.sql`);
    writeDump(path, shop(1, 120).map(crowded));
    using staging = await stage(importer.source, dumpFile(path), { folder });
    const sent = recorded(staging.database);
    const preflight = importer.plan(staging, {});
    const store = await openStore();
    stores.push(store);
    await load(store.database, importer, staging, preflight);
    await verify(store.database, importer, staging, preflight.plan);
    const scans = [...sent.values()]
      .filter(({ text }) => !small.test(text))
      .flatMap(({ text, plan, runs }) => scansOf(plan, runs > few).map((scan) => ({ scan, text })));
    expect(scans).toEqual([]);
  },
);

interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

interface SentStatement {
  readonly text: string;
  readonly plan: readonly PlanRow[];
  runs: number;
}

/** Records the statements of a database with their plans, and counts their runs. */
function recorded(database: DatabaseSync): ReadonlyMap<string, SentStatement> {
  const sent = new Map<string, SentStatement>();
  const prepare = database.prepare.bind(database);
  const exec = database.exec.bind(database);
  const noted = (text: string): SentStatement => {
    const known = sent.get(text);
    if (known) return known;
    const plan = prepare(`explain query plan ${text}`).all() as unknown as PlanRow[];
    const added = { text, plan, runs: 0 };
    sent.set(text, added);
    return added;
  };
  database.prepare = (text) => {
    const statement = prepare(text);
    const one = noted(text);
    for (const name of ['get', 'all', 'iterate'] as const) {
      const run = statement[name].bind(statement) as (...values: never[]) => never;
      statement[name] = (...values: never[]) => {
        one.runs += 1;
        return run(...values);
      };
    }
    return statement;
  };
  database.exec = (text) => {
    // A statement may need a table that the one before creates.
    for (const one of text.split(/;\s*\n/)) {
      if (/\bselect\b/i.test(one)) noted(one);
      exec(one);
    }
  };
  return sent;
}

/** The scans of a plan that are repeated for each row: of another scan, or of the caller. */
function scansOf(plan: readonly PlanRow[], isRepeated: boolean): string[] {
  const byId = new Map(plan.map((row) => [row.id, row]));
  const isInner = (row: PlanRow): boolean => {
    const above = byId.get(row.parent);
    if (!above) return isRepeated;
    // These are read once, wherever they are used.
    if (/^(MATERIALIZE|LIST SUBQUERY|SCALAR SUBQUERY)/.test(above.detail)) return isRepeated;
    return above.detail.startsWith('CORRELATED') || isInner(above);
  };
  const scanned = plan.filter(({ detail }) => /^SCAN (?!CONSTANT|.*VIRTUAL TABLE)/.test(detail));
  const isFirst = (row: PlanRow) => scanned.find(({ parent }) => parent === row.parent) === row;
  return scanned.filter((row) => isInner(row) || !isFirst(row)).map(({ detail }) => detail);
}
