import { setTimeout as pause } from 'node:timers/promises';
import type { Client, DatabaseError } from 'pg';
import { inTransaction } from '../support/statements.ts';

/** Prints a line of progress: a finished step or, with `isWait`, what the migration waits for. */
export type Progress = (says: string, isWait?: boolean) => void;

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
      if (tries === 1) progress(`${name} waits for a lock.`, true);
      await pause(lockPause);
    }
  }
}

/** The milliseconds after which an index build says what it may wait for. */
const noticeAfter = 2000;

/** An index build waits no longer for any one transaction. */
const buildTimeout = '10min';

/**
 * Builds or drops an index concurrently: that waits for transactions that began earlier, idle ones too.
 * @throws Error if one of them does not end
 */
export async function patientlyBuilding(
  client: Client,
  name: string,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  const waits = `${name} builds an index, and waits until all transactions that began earlier have ended, idle ones too. This lists them: select pid, state, xact_start, query from pg_stat_activity where xact_start is not null order by xact_start`;
  const notice = setTimeout(() => progress(waits, true), noticeAfter);
  await client.query(`set lock_timeout = '${buildTimeout}'`);
  try {
    await work();
  } catch (error) {
    if (!busy.includes((error as DatabaseError).code ?? '')) throw error;
    throw new Error(
      `${name} could not build its index: another transaction was open all this time. Finished steps stay. End it, then run the command again.`,
      { cause: error },
    );
  } finally {
    clearTimeout(notice);
    await client.query('reset lock_timeout').catch(() => undefined);
  }
}
