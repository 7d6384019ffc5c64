import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every kind
  readonly json: any;
}

/** The answer of a receiver; null breaks the connection. */
type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** The end of the connection after its body. */
  ending?: 'ends' | 'stalls' | 'breaks';
} | null;

/** A server on this machine that receives webhooks. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (delivery: Received) => Answer | Promise<Answer> = () => ({});
  readonly #closed: { path: string; done: Promise<unknown> }[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #url = '';

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address) this.#url = `http://127.0.0.1:${address.port}`;
  }

  url(path: string): string {
    return this.#url + path;
  }

  at = (path: string) => this.received.filter((delivery) => delivery.path === path);

  /** Resolves when the connections of a path are closed or free for another request. */
  async closed(path: string): Promise<void> {
    await Promise.all(this.#closed.filter((item) => item.path === path).map(({ done }) => done));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#closed.push({ path: request.url ?? '', done: once(response, 'close') });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const isJson = headers['content-type']?.includes('json');
    const json: unknown = isJson ? JSON.parse(body || '{}') : undefined;
    const delivery: Received = { path: request.url ?? '', headers, body, json };
    this.received.push(delivery);
    const answer = await this.answer(delivery);
    if (answer === null) {
      response.destroy();
      return;
    }
    const { status = 200, headers: head, body: text = '', ending = 'ends' } = answer;
    response.writeHead(status, head);
    if (ending === 'ends') response.end(text);
    else response.write(text, () => ending === 'breaks' && response.destroy());
  }
}

export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.open());
  afterAll(() => receiver.close());
  return receiver;
}
