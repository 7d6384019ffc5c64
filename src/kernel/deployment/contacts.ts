import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/instant.ts';
import { type SchedulerNamespace, schedulerName } from '../command/wake.ts';
import { release } from './release.ts';

/** The last attempt to reach the database. */
export interface Contact {
  /** Identifies the worker and its database. */
  readonly of: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly isAnswered: boolean;
}

export interface ContactKeeper {
  lastContact(): Promise<Contact | undefined>;
  keepContact(contact: Contact): Promise<void>;
}

/** Milliseconds for which an answer of the database counts as recent. */
const lasting = 3_600_000;

/** The last contact with the database. The scheduler's object stores it for all isolates. */
export class Contacts {
  readonly #namespace: SchedulerNamespace<ContactKeeper> | undefined;
  readonly #clock: Clock;
  readonly #of: string;

  constructor(
    namespace: SchedulerNamespace<ContactKeeper> | undefined,
    clock: Clock,
    config: Config,
  ) {
    this.#namespace = namespace;
    this.#clock = clock;
    const { host, pathname } = new URL(config.DATABASE_URL);
    const { version, commit, schema } = release;
    this.#of = [version, commit, schema, config.STORE_ID, host + pathname].join(' ');
  }

  /** Tells if the database answered this worker within the last hour; false if unknown. */
  async isRecent(): Promise<boolean> {
    try {
      const contact = await this.#namespace?.getByName(schedulerName).lastContact();
      const age = this.#clock.now().getTime() - (contact?.at ?? -Infinity);
      return contact?.of === this.#of && contact.isAnswered && age <= lasting;
    } catch {
      return false;
    }
  }

  /** Stores the result of a contact. If that fails, the next caller asks again. */
  async keep(isAnswered: boolean): Promise<void> {
    const contact = { of: this.#of, at: this.#clock.now().getTime(), isAnswered };
    try {
      await this.#namespace?.getByName(schedulerName).keepContact(contact);
    } catch {
      // There is no other place to store it.
    }
  }
}
