import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Asked, Fault } from './provider.ts';

/** The answer of a provider; null breaks the connection. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Kind = 'open' | 'look' | 'cancel' | 'refund';

/** The common part of the providers' servers: listening, the journal, and faults. */
export class ProviderServer {
  readonly journal: Asked[] = [];
  readonly #faults = new Map<Kind, Fault[]>();
  readonly #server: Server = createServer(
    (request, response) => void this.#take(request, response),
  );
  readonly #handle: (asked: Asked) => Answered | null | Promise<Answered | null>;
  readonly #kindOf: (asked: Asked) => Kind | undefined;
  readonly #refused: (status: number, asked: Asked) => unknown;

  /**
   * @param handle carries out a request and answers it
   * @param kindOf the kind of fault that a request meets
   * @param refused the body of an error, in the provider's form; stored if the provider stores answers
   */
  constructor(
    handle: (asked: Asked) => Answered | null | Promise<Answered | null>,
    kindOf: (asked: Asked) => Kind | undefined,
    refused: (status: number, asked: Asked) => unknown,
  ) {
    this.#handle = handle;
    this.#kindOf = kindOf;
    this.#refused = refused;
  }

  /** @returns its origin */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('It has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  fail(kind: Kind, fault: Fault): void {
    this.#faults.set(kind, [...(this.#faults.get(kind) ?? []), fault]);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(chunks).toString(),
    };
    this.journal.push(asked);
    const kind = this.#kindOf(asked);
    const fault = kind && this.#faults.get(kind)?.shift();
    const answer = await this.#answer(asked, fault);
    if (answer === null) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  }

  async #answer(asked: Asked, fault: Fault | undefined): Promise<Answered | null> {
    switch (fault) {
      case 'refused':
        return { status: 500, body: this.#refused(500, asked) };
      case 'overloaded':
        return { status: 503, body: this.#refused(503, asked) };
      case 'dropped':
        return null;
      case 'lost':
        await this.#handle(asked);
        return null;
      case undefined:
        return this.#handle(asked);
    }
  }
}
