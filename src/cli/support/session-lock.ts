import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/**
 * Lets one session at a time work under a name. The lock is polled: a waiting session would hold a snapshot, and a
 * concurrent index build waits for all snapshots.
 * @param waiting is called once if another session works
 */
export async function withSessionLock(
  client: Client,
  name: 'imports' | 'migrations',
  waiting: () => void,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as taken',
      [name],
    );
    if (rows[0]?.taken) break;
    if (tries === 0) waiting();
    await pause(500);
  }
  try {
    await work();
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]).catch(() => undefined);
  }
}
