import { setTimeout as pause } from 'node:timers/promises';
import type { Client, DatabaseError } from 'pg';
import { inTransaction } from '../support/statements.ts';

/** Prints a line of progress: a finished step, or a wait. */
export type Progress = (says: string) => void;

/**
 * A statement waits no longer for a lock, because later requests queue behind it. PostgreSQL detects deadlocks after a
 * second, so a deadlock fails here and not in the store.
 */
const lockTimeout = '500ms';
const lockTries = 60;
const lockPause = 1000;

/** PostgreSQL's codes for a lock timeout, and for a deadlock. */
const busy = ['55P03', '40P01'];

/**
 * Runs work in a transaction, and repeats it while others hold its locks.
 * @throws Error after a minute and a half
 */
export async function patiently<T>(
  client: Client,
  name: string,
  progress: Progress,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(client, async () => {
        await client.query(`set local lock_timeout = '${lockTimeout}'`);
        return work();
      });
    } catch (error) {
      if (!busy.includes((error as DatabaseError).code ?? '')) throw error;
      if (tries === lockTries)
        throw new Error(
          `${name} could not lock its table: another session held the lock all this time. Finished steps stay. Run the command again.`,
          { cause: error },
        );
      if (tries === 1) progress(`${name} waits for a lock.`);
      await pause(lockPause);
    }
  }
}
