import { afterAll, beforeAll } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import { sendDue } from '../../../src/processes/messages/sending.ts';
import { queueDue } from '../../../src/processes/reminders/sending.ts';
import { messageMedia } from '../../../src/schema/lists.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Store, openStore } from '../../harness/store.ts';
import { senders } from '../../providers/messages/index.ts';
import type { TestSender } from '../../providers/messages/sender.ts';

export const seller = { email: 'seller@shop.example', phone: '+6281999999999' };

/** A store that sends messages, in rupiah and Jakarta's time, without optional modules. */
export class Post {
  readonly fixture: StoreFixture;
  readonly senders: readonly TestSender[];
  #people = 0;

  private constructor(fixture: StoreFixture, opened: readonly TestSender[]) {
    this.fixture = fixture;
    this.senders = opened;
  }

  /**
   * @param names of the store's senders
   * @param variables further variables
   */
  static async open(names: readonly string[], variables: object = {}): Promise<Post> {
    const store = await openStore();
    const opened: TestSender[] = [];
    for (const name of names) {
      const sender = senders[name]?.();
      if (!sender) throw new Error(`There is no sender ${name}.`);
      await sender.open(() => store.clock.now());
      Object.assign(await store.environment, sender.variables);
      opened.push(sender);
    }
    // Rates would make messages wait in real time.
    Object.assign(await store.environment, {
      MODULES: '',
      MAIL_RATE: '1000',
      WHATSAPP_RATE: '1000',
      ...variables,
    });
    const post = new Post(await StoreFixture.open(store), opened);
    await post.#furnish();
    return post;
  }

  async #furnish(): Promise<void> {
    const settings = {
      store_name: 'Toko Kue',
      site_url: 'https://toko.example',
      country: 'ID',
      timezone: 'Asia/Jakarta',
      currency: 'IDR',
      currency_exponent: 0,
      notification_email: seller.email,
      notification_phone: seller.phone,
    };
    for (const [column, value] of Object.entries(settings)) await this.fixture.set(column, value);
  }

  get store(): Store {
    return this.fixture.store;
  }

  async close(): Promise<void> {
    await this.store.settled();
    for (const sender of this.senders) await sender.close();
    await this.store.close();
  }

  sender = (medium: 'email' | 'whatsapp' = 'email'): TestSender => {
    const [only, ...others] = this.senders;
    const found = others.length === 0 ? only : this.senders.find((each) => each.medium === medium);
    if (!found) throw new Error(`Nobody sends by ${medium}.`);
    return found;
  };

  newBuyer = (fields: object = {}) => {
    const number = String(++this.#people).padStart(6, '0');
    return this.fixture.newUser({
      display_name: 'Dewi Kartika',
      email: `buyer-${number}@people.example`,
      phone: `0812${number}00`,
      ...fields,
    });
  };

  later = async (seconds: number): Promise<void> => {
    await this.store.settled();
    this.store.clock.advance(seconds);
    const services = await this.store.services();
    await queueDue(services);
    for (const medium of messageMedia) await sendDue(medium, services);
  };

  /**
   * Messages of the store's log, oldest first.
   * @param filter like `order_id=1`
   */
  log = async (filter = ''): Promise<Message[]> => {
    const { body } = await this.fixture.api.get(`/messages?per_page=100&${filter}`);
    return body.data.toReversed();
  };

  message = async (id: number): Promise<Message> =>
    (await this.fixture.api.get(`/messages/${id}`)).body.data;

  /** Returns the messages that some work causes, once they are sent, in the order of their media. */
  told = async (work: () => Promise<unknown>): Promise<Message[]> => {
    await this.store.settled();
    const { rows } = await this.store.database.query<{ last: string }>(
      'select coalesce(max(id), 0) as last from messages',
    );
    await work();
    await this.store.settled();
    const { rowCount } = await this.store.database.query('select from messages where id > $1', [
      rows[0]?.last,
    ]);
    if (!rowCount) return [];
    const { body } = await this.fixture.api.get(`/messages?per_page=${rowCount}`);
    const found: Message[] = body.data.toReversed();
    return found.toSorted((one, other) => one.medium.localeCompare(other.medium));
  };

  events = async (message_id: number): Promise<string[]> => {
    const { rows } = await this.store.database.query<{ event: string }>(
      `select event from outbox where event like 'message.%' and object_id = $1 order by id`,
      [message_id],
    );
    return rows.map(({ event }) => event);
  };

  /** A paused webhook, which keeps every event. */
  listen = () =>
    this.fixture.api.post('/webhooks', {
      url: 'http://127.0.0.1:1/',
      events: ['*'],
      status: 'paused',
    });

  /** Switches the messages of these kinds off. */
  silence = async (...kinds: readonly string[]): Promise<void> => {
    for (const kind of kinds) {
      for (const medium of ['email', 'whatsapp']) {
        await this.fixture.api.patch(`/message-templates/${kind}/${medium}`, { active: false });
      }
    }
  };
}

/** The post of the calling test file, with these senders. */
export function usePost(names: readonly string[], variables: object = {}): { readonly post: Post } {
  let post: Post | undefined;
  beforeAll(async () => {
    post = await Post.open(names, variables);
  });
  afterAll(() => post?.close());
  return {
    get post() {
      if (!post) throw new Error('The post opens before the first test.');
      return post;
    },
  };
}
