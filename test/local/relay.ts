import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { inject } from 'vitest';

/** Relays between the endpoint and PostgreSQL, and counts the exchanges. */
export interface Relay {
  port: number;
  /** The number of messages of the endpoint that follow an answer. */
  exchanges: number;
  cut(): void;
  close: () => Promise<void>;
}

export async function startRelay(): Promise<Relay> {
  const sockets = new Set<Socket>();
  const postgresPort = Number(new URL(inject('postgresUrl')).port);
  const server = createServer((near) => {
    const far = connect(postgresPort, '127.0.0.1');
    let answered = true;
    near.on('data', () => {
      if (answered) relay.exchanges += 1;
      answered = false;
    });
    far.on('data', () => (answered = true));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const relay: Relay = {
    port: await listening(server),
    exchanges: 0,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      relay.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;
}

/** A server that refuses every connection with an error of PostgreSQL. */
export async function startRefusal(code: string, message: string) {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.byteLength + 4);
  const answer = Buffer.concat([Buffer.from('E'), length, fields]);
  const server = createServer((socket) => socket.once('data', () => socket.end(answer)));
  return { port: await listening(server), close: () => server.close() };
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
