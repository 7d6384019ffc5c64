import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Store } from '../harness/store.ts';

/** A store of this process as a server on loopback, for clients in other processes. */
export class Front {
  readonly store: Store;
  readonly #changed: (text: string) => string;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(store: Store, changed: (text: string) => string) {
    this.store = store;
    this.#changed = changed;
  }

  static async open(store: Store, changed = (text: string) => text): Promise<Front> {
    const front = new Front(store, changed);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const answer = await this.store.fetch(
      new Request(`https://shop.example${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(this.#changed(await answer.text()));
  }
}
