import { AlarmClock, type AlarmStorage } from '../../src/jobs/alarm-clock.ts';
import { runJob } from '../../src/jobs/index.ts';
import type { Contact } from '../../src/kernel/deployment/contacts.ts';
import type { Services } from '../../src/kernel/deployment/services.ts';
import type { Store } from '../harness/store.ts';

const hour = 3_600_000;

/** The storage of a Durable Object that nothing can be lost from. */
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

/** The scheduler of a store, its cron and its alarm driven by the store's clock. */
export class Simulated {
  readonly storage = new Memory();
  readonly logs: Record<string, unknown>[] = [];
  /** The number of its looks for due work, by cron or by alarm. */
  looks = 0;
  /** Wakes it; a test can make this fail. */
  wake = async (): Promise<void> => this.#alarmClock.wake();
  goOn = async (): Promise<void> => this.#alarmClock.goOn();
  lastContact = async () => this.contact;
  keepContact = async (contact: Contact): Promise<void> => {
    this.contact = contact;
  };
  contact: Contact | undefined;
  readonly #store: Store;
  readonly #alarmClock: AlarmClock;

  /** @param invocation what the platform lets one run, or one job, work with */
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

  /** Lets the time pass, to the moment: the cron runs at each full hour, the alarm when it is set. */
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

  /** Lets so many seconds pass. */
  async pass(seconds: number): Promise<void> {
    await this.until(new Date(this.#store.clock.now().getTime() + seconds * 1000));
  }

  async run(): Promise<void> {
    this.looks++;
    await this.#alarmClock.run();
  }
}
