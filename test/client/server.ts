import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** An answer: a status and a body, a broken connection, or none. */
export type Answer = Said | 'hang up' | 'never';

interface Said {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on loopback that gives planned answers one after the other, and repeats the last one. */
export class TroubledServer {
  answers: readonly Answer[] = [];
  asked: Asked[] = [];
  url = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await request.toArray();
    const { method = '', url: path = '', headers } = request;
    this.asked.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const answer = this.answers[Math.min(this.asked.length, this.answers.length) - 1] ?? 'never';
    if (answer === 'hang up') request.socket.destroy();
    if (typeof answer === 'string') return;
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-request-id': `request-${this.asked.length}`,
      ...answer.headers,
    });
    response.end(answer.body);
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function useServer(): TroubledServer {
  const server = new TroubledServer();
  beforeAll(() => server.open());
  beforeEach(() => {
    server.asked = [];
  });
  afterAll(() => server.close());
  return server;
}

/** A success in the service's form. */
export const said = (data: unknown): Said => ({
  status: 200,
  body: JSON.stringify({ success: true, data }),
});

/** An error in the service's form. */
export const refused = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  data: object = {},
): Said => ({
  status,
  headers,
  body: JSON.stringify({ code, message: 'No.', data: { status, ...data } }),
});
