import type { Client } from 'pg';
import type { StoreFixture } from '../../harness/store-fixture.ts';
import { rebuilds } from './rebuild.ts';
import type { Size } from './size.ts';
import { rows } from './rows.ts';

const batch = 50_000;

export type Progress = (step: string, part: number) => void;

/**
 * Fills a store, or continues where an earlier run stopped: each batch commits together with its progress. Small tables
 * are filled through the API. Large ones are written without foreign keys and row triggers, and their derived figures
 * are computed at the end.
 */
export async function fill(fixture: StoreFixture, size: Size, progress: Progress): Promise<void> {
  const { database } = fixture.store;
  await database.query(
    'create table if not exists scale_progress (step text primary key, done int)',
  );
  await once(database, 'catalogue', progress, () => makeCatalogue(fixture));
  await once(database, 'triggers', progress, () => fire(database, 'enable always'));
  for (const { name, count, statements } of rows(size)) {
    for (let from = await doneOf(database, name); from < count; from += batch) {
      const to = Math.min(count, from + batch);
      progress(name, from / count);
      await transaction(database, name, to, async () => {
        await database.query("set local session_replication_role = 'replica'");
        for (const statement of statements) await database.query(statement, [from + 1, to]);
      });
    }
    // Updates the statistics, so that the next step's statements are planned for the present rows.
    await database.query('analyze');
  }
  for (const { name, statements } of rebuilds) {
    await once(database, name, progress, async () => {
      for (const statement of statements) await database.query(statement);
    });
  }
  await once(database, 'triggers again', progress, () => fire(database, 'enable'));
  if ((await doneOf(database, 'vacuum')) > 0) return;
  progress('vacuum', 0);
  await database.query('vacuum (analyze)');
  await note(database, 'vacuum', 1);
}

/** Makes statement triggers fire always, or only outside of bulk writes. */
async function fire(database: Client, when: 'enable always' | 'enable'): Promise<void> {
  const { rows: triggers } = await database.query<{ trigger: string; table: string }>(
    `select tgname as trigger, tgrelid::regclass::text as table from pg_trigger
      where not tgisinternal and tgtype & 1 = 0`,
  );
  for (const { trigger, table } of triggers) {
    await database.query(`alter table ${table} ${when} trigger ${trigger}`);
  }
}

async function doneOf(database: Client, step: string): Promise<number> {
  const { rows: found } = await database.query<{ done: number }>(
    'select done from scale_progress where step = $1',
    [step],
  );
  return found[0]?.done ?? 0;
}

const note = (database: Client, step: string, done: number) =>
  database.query(
    `insert into scale_progress values ($1, $2)
     on conflict (step) do update set done = excluded.done`,
    [step, done],
  );

/** Runs a step that has no batches, unless it was done. */
async function once(
  database: Client,
  step: string,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  if ((await doneOf(database, step)) > 0) return;
  progress(step, 0);
  await transaction(database, step, 1, work);
}

/** Runs work and stores its progress in one transaction. */
async function transaction(
  database: Client,
  step: string,
  done: number,
  work: () => Promise<void>,
): Promise<void> {
  await database.query('begin');
  try {
    await work();
    await note(database, step, done);
    await database.query('commit');
  } catch (error) {
    await database.query('rollback');
    throw error;
  }
}

/** Products, groups and webhooks, made through the API; their ids count from 1. */
async function makeCatalogue({ api, newProduct }: StoreFixture): Promise<void> {
  for (let id = 1; id <= 100; id++) {
    await newProduct({
      title: `Product ${id}`,
      price: 10_000 * (1 + (id % 10)),
      license: { active: true, count: 3, expires_days: 365 },
      affiliate: {
        enabled: true,
        hold_days: 7,
        tiers: [20, 10, 5].map((fee, i) => ({ tier: i + 1, fee, type: 'percentage' })),
      },
    });
  }
  for (const name of ['Bronze', 'Silver', 'Gold']) await api.post('/user-groups', { name });
  for (const name of ['Large', 'Small']) {
    const url = 'https://hooks.example.com/in';
    await api.post('/webhooks', { name, url, events: ['reminder.failed'] });
  }
}
