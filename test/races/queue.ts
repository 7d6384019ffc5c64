import { Client } from 'pg';
import type { Store } from '../harness/store.ts';

/** Waits until at least `count` backends of the store's database wait for a lock. */
export async function untilWaiting(store: Store, count: number): Promise<void> {
  for (;;) {
    // In a transaction PostgreSQL keeps showing the first snapshot of activity.
    await store.database.query('select pg_stat_clear_snapshot()');
    const { rows } = await store.database.query<{ waiting: string }>(
      `select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (Number(rows[0]?.waiting) >= count) return;
  }
}

/**
 * Starts callers while a lock is held, and releases it once all of them queue: the widest possible window of a race.
 * @param lock a statement that takes the lock, such as `select … for update`
 * @param inTurn true if they must queue in their order
 */
export async function behindLock<T>(
  store: Store,
  lock: string,
  callers: readonly (() => Promise<T>)[],
  { inTurn = false } = {},
): Promise<T[]> {
  const holder = new Client({ connectionString: store.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(lock);
  const running: Promise<T>[] = [];
  for (const call of callers) {
    running.push(call());
    if (inTurn) await untilWaiting(store, running.length);
  }
  await untilWaiting(store, callers.length);
  await holder.query('commit');
  await holder.end();
  return Promise.all(running);
}

/** A caller that runs plain statements in one transaction, for the broken control of a race. */
export const transaction =
  (store: Store, work: (client: Client) => Promise<boolean>) => async (): Promise<boolean> => {
    const client = new Client({ connectionString: store.databaseUrl });
    await client.connect();
    await client.query('begin');
    const done = await work(client);
    await client.query(done ? 'commit' : 'rollback');
    await client.end();
    return done;
  };

export const times = <T>(count: number, call: () => Promise<T>) =>
  Array.from({ length: count }, () => call);
