import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VendorServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serve(answer: (asked: Asked) => Promise<Answer>): Promise<VendorServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor');
    const { method = '', headers } = request;
    const body = Buffer.concat(chunks);
    const answered: Answer = await answer({
      ...{ method, path: pathname, query: searchParams, headers, body },
    }).catch((error: Error) => ({ status: 500, body: { message: error.message } }));
    const { status = 200, body: said, headers: more } = answered;
    const type = Buffer.isBuffer(said) ? 'application/octet-stream' : 'application/json';
    response
      .writeHead(status, { 'content-type': type, ...more })
      .end(Buffer.isBuffer(said) ? said : JSON.stringify(said));
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
