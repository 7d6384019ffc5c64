import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

/** Another server on this machine, with pages by path and 404 for other paths. */
export class PictureHost {
  readonly pages = new Map<string, (response: ServerResponse) => void>();
  /** The paths and headers of its requests. */
  readonly asked: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  readonly #server = createServer((request, response) => {
    this.asked.push({ url: request.url ?? '', headers: request.headers });
    const page = this.pages.get(request.url ?? '');
    if (page) page(response);
    else response.writeHead(404).end('nothing here');
  });
  #port = 0;

  url = (path: string) => `http://127.0.0.1:${this.#port}${path}`;

  /**
   * Adds a file.
   * @returns its address
   */
  put(path: string, body: Uint8Array | string, type = 'application/octet-stream'): string {
    this.pages.set(path, (response) => response.writeHead(200, { 'content-type': type }).end(body));
    return this.url(path);
  }

  /**
   * Redirects a path.
   * @returns its address
   */
  redirect(path: string, location: string, status = 302): string {
    this.pages.set(path, (response) => response.writeHead(status, { location }).end());
    return this.url(path);
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address) this.#port = address.port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function usePictureHost(): PictureHost {
  const host = new PictureHost();
  beforeAll(() => host.open());
  afterAll(() => host.close());
  return host;
}
