import { once } from 'node:events';
import { createServer } from 'node:net';

const each = 100;
let next = 0;

/**
 * A free port of 127.0.0.1 whose next port is free, too. It is below those that the system chooses for connections and
 * servers, and each process has a hundred of its own, so nobody takes it before it is used.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < each; tries += 2) {
    const port = 10_000 + (process.pid % 200) * each + next;
    next = (next + 2) % each;
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('There is no free port.');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
