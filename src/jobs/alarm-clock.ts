import type { Need } from '../kernel/budget.ts';
import type { Log } from '../kernel/endpoint/finish.ts';
import { failureOf } from '../kernel/errors/tell.ts';
import type { Clock } from '../lib/instant.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { type DueJob, findDue } from './index.ts';

const minute = 60_000;

/** Calls for one look for due work. */
const look: Need = { calls: 1, kept: 0 };

/** A Durable Object's alarm, and values that outlive the isolate. */
export interface AlarmStorage {
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  get(key: string): Promise<number | undefined>;
  put(key: string, value: number): Promise<void>;
}

interface AlarmContext {
  readonly storage: AlarmStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Creates the services of one run. */
  readonly services: () => Promise<Services>;
  /**
   * Does one job in a new invocation.
   * @returns true if the job continues at once, because its calls were used up
   */
  readonly perform: (job: string) => Promise<boolean>;
}

/**
 * Stores when work is next due, outside the database, which may sleep until then. A write sets the alarm before it
 * commits.
 */
export class AlarmClock {
  readonly #context: AlarmContext;
  #running: Promise<void> | undefined;
  #looksAgain = false;

  constructor(context: AlarmContext) {
    this.#context = context;
  }

  /**
   * Looks for due work within a minute. The alarm may ring before the caller's write commits, so the time is stored as
   * well, and a look follows in any case.
   */
  async wake(): Promise<void> {
    const at = this.#now() + minute;
    await this.#context.storage.put('wanted', at);
    await this.#alarmBy(at);
  }

  /** Looks for due work at once, or once more after a running look. */
  async goOn(): Promise<void> {
    this.#looksAgain = true;
    await this.#alarmBy(this.#now());
  }

  /**
   * Does due work until there is none, and sets the next alarm. Parallel callers wait for the same run: two runs would
   * overwrite each other's alarm.
   */
  async run(): Promise<void> {
    // Another run follows even if this one fails.
    await this.#alarmBy(this.#now() + minute);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.#context;
    this.#looksAgain = false;
    try {
      const services = await this.#context.services();
      const turns = new Map<string, number>();
      for (;;) {
        const now = this.#now();
        if (services.budget.fits(look) === 0) return await this.#alarmBy(now);
        const found = await findDue(services);
        const due = found.filter((job) => turnOf(job, turns) <= now);
        if (due.length === 0) {
          await this.#alarmAt(Math.min(...found.map((job) => turnOf(job, turns))), now);
          return;
        }
        for (const { job } of due) turns.set(job, now);
        for (const job of await this.#performAll(due)) turns.delete(job);
      }
    } catch (error) {
      log({ level: 'error', job: 'scheduler', ...failureOf(error as Error) });
    }
  }

  #now(): number {
    return this.#context.clock.now().getTime();
  }

  /** Keeps an earlier alarm. */
  async #alarmBy(at: number): Promise<void> {
    const { storage } = this.#context;
    const set = await storage.getAlarm();
    if (set === null || set > at) await storage.setAlarm(at);
  }

  /**
   * Replaces the alarm; deletes it if nothing is due.
   * @param looked when the database was last asked
   */
  async #alarmAt(next: number, looked: number): Promise<void> {
    const { storage } = this.#context;
    if (this.#looksAgain) return storage.setAlarm(this.#now());
    const wanted = (await storage.get('wanted')) ?? -Infinity;
    const at = wanted > looked ? Math.min(next, wanted) : next;
    await (at === Infinity ? storage.deleteAlarm() : storage.setAlarm(at));
  }

  /** @returns the jobs that continue at once */
  async #performAll(due: readonly DueJob[]): Promise<string[]> {
    const { log, perform } = this.#context;
    const done = due.map(async ({ job }) => {
      try {
        return (await perform(job)) ? [job] : [];
      } catch (error) {
        log({ level: 'error', job, ...failureOf(error as Error) });
        return [];
      }
    });
    return (await Promise.all(done)).flat();
  }
}

/**
 * The next run of a job: as soon as it has work. Work that is still due after the last turn waits a minute.
 * @param turns the last ones of this run
 */
export function turnOf({ job, at }: DueJob, turns: ReadonlyMap<string, number>): number {
  const last = turns.get(job);
  return last === undefined || at > last ? at : last + minute;
}
