import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Store, openStore } from '../harness/store.ts';

/** A store on loopback that answers each request after its background work is done. */
export class ServedStore {
  readonly store: Store;
  readonly url: string;
  readonly #server: Server;

  private constructor(store: Store, server: Server) {
    this.store = store;
    this.#server = server;
    this.url = `http://127.0.0.1:${portOf(server)}`;
  }

  static async open(): Promise<ServedStore> {
    const store = await openStore();
    const server = createServer((request, response) => void answer(store, request, response));
    await listening(server);
    return new ServedStore(store, server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.store.close();
  }
}

async function answer(
  store: Store,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '', headers } = request;
  const body = Buffer.concat(await request.toArray());
  const answered = await store.fetch(
    new Request(`https://shop.example${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    }),
  );
  // The store's own work calls the sink, and waits for its answer.
  if (!url.startsWith('/api/svc-notify/v1/sink')) await store.settled();
  const { 'content-length': _, ...kept } = Object.fromEntries(answered.headers);
  response.writeHead(answered.status, kept);
  // Links to files lead to this server.
  const own = `http://${headers.host}/download/`;
  response.end((await answered.text()).replaceAll('https://shop.example/download/', own));
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
