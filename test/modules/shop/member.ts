import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { StoreFixture } from '../../harness/store-fixture.ts';
import { type Visit, visit } from './visitor.ts';

type Headers = Record<string, string>;

export const linkIn = (url: string) => new URL(url).searchParams.get('link') ?? '';

/** Members of a shop, and the forms of their account pages. */
export class Members {
  readonly #fixture: StoreFixture;

  constructor(fixture: StoreFixture) {
    this.#fixture = fixture;
  }

  send = (path: string, fields: Record<string, string>, headers: Headers = {}): Promise<Visit> =>
    visit(this.#fixture.store, path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });

  open = (path: string, headers: Headers): Promise<Visit> =>
    visit(this.#fixture.store, path, { headers });

  mint = async (user_id: number): Promise<string> =>
    (await this.#fixture.api.post(`/users/${user_id}/account-link`)).body.data.url;

  /**
   * Signs in by a link.
   * @returns the header with the cookie
   */
  enter = async (url: string): Promise<Headers> => {
    const answer = await this.send('/account/session', { link: linkIn(url) });
    expect([answer.status, answer.trips]).toEqual([302, 2]);
    return cookieOf(answer);
  };

  /** Signs a member in by a link that a backend requested. */
  signIn = async (user_id: number): Promise<Headers> => this.enter(await this.mint(user_id));
}

export const cookieOf = ({ headers }: Visit): Headers => ({
  cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
});

/**
 * A seller's own service that receives the messages of every medium.
 * @returns the received messages, and a function that ends it
 */
export async function takeMessages({ store }: StoreFixture) {
  const messages: string[] = [];
  const take = async (request: IncomingMessage, answer: ServerResponse) => {
    messages.push(Buffer.concat(await request.toArray()).toString());
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const relay = createServer((request, answer) => void take(request, answer));
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  Object.assign(await store.environment, {
    REMINDER_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    REMINDER_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  store.restart();
  return {
    sent: async () => {
      await store.settled();
      return messages;
    },
    close: () => void relay.close(),
  };
}
