import { AlarmClock, type AlarmStorage } from '../../src/jobs/alarm-clock.ts';
import { runJob } from '../../src/jobs/index.ts';
import type { Contact } from '../../src/kernel/deployment/contacts.ts';
import type { Services } from '../../src/kernel/deployment/services.ts';
import type { Store } from '../harness/store.ts';

const hour = 3_600_000;

class Memory implements AlarmStorage {
  alarm: number | null = null;
  readonly #values = new Map<string, number>();
  getAlarm = async () => this.alarm;
  setAlarm = async (at: number) => {
    this.alarm = at;
  };
  deleteAlarm = async () => {
    this.alarm = null;
  };
  get = async (key: string) => this.#values.get(key);
  put = async (key: string, value: number) => {
    this.#values.set(key, value);
  };
}

/** The scheduler of a store, with a cron and an alarm that follow the store's clock. */
export class Simulated {
  readonly storage = new Memory();
  readonly logs: Record<string, unknown>[] = [];
  /** The number of checks for due work, by cron or alarm. */
  looks = 0;
  /** Wakes the scheduler; a test can replace this with a failure. */
  wake = async (): Promise<void> => this.#alarmClock.wake();
  goOn = async (): Promise<void> => this.#alarmClock.goOn();
  lastContact = async () => this.contact;
  keepContact = async (contact: Contact): Promise<void> => {
    this.contact = contact;
  };
  contact: Contact | undefined;
  readonly #store: Store;
  readonly #alarmClock: AlarmClock;

  /** @param invocation the services of one run or one job */
  constructor(store: Store, invocation: () => Promise<Services> = () => store.services()) {
    this.#store = store;
    const log = (line: Record<string, unknown>) => this.logs.push(line);
    this.#alarmClock = new AlarmClock({
      storage: this.storage,
      clock: store.clock,
      log,
      services: invocation,
      perform: async (job) => runJob(job, await invocation(), log),
    });
  }

  /** Lets time pass: the cron runs at each full hour, and the alarm when it is set. */
  async until(end: Date): Promise<void> {
    const { clock } = this.#store;
    for (;;) {
      const cron = (Math.floor(clock.now().getTime() / hour) + 1) * hour;
      const alarm = Math.max(this.storage.alarm ?? Infinity, clock.now().getTime());
      const next = Math.min(cron, alarm);
      if (next > end.getTime()) break;
      clock.set(new Date(next).toISOString());
      if (alarm <= cron) this.storage.alarm = null;
      await this.run();
    }
    clock.set(end.toISOString());
  }

  async pass(seconds: number): Promise<void> {
    await this.until(new Date(this.#store.clock.now().getTime() + seconds * 1000));
  }

  async run(): Promise<void> {
    this.looks++;
    await this.#alarmClock.run();
  }
}
