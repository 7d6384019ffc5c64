import { createServer } from 'node:net';
import { Refused } from './support/command.ts';
import { storeWorkers } from '../local/worker/leftover.ts';

/** @throws Error if the text isn't a port */
export function readPort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new Refused(
      `PORT must be a number from 1 to 65535, like 8787; not ${JSON.stringify(text)}.`,
    );
  return port;
}

/** @throws Error naming the process that uses the port, if that is known */
export async function refuseTakenPort(port: number): Promise<void> {
  if (await isTaken(port)) throw new Error(taken(port));
}

/** Tells if another process listens at a port of 127.0.0.1. */
export async function isTaken(port: number): Promise<boolean> {
  const probe = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    probe.once('error', resolve);
    probe.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  if (error?.code === 'EADDRINUSE') return true;
  if (error) throw error;
  await new Promise((resolve) => probe.close(resolve));
  return false;
}

function taken(port: number): string {
  const other = `or choose another port: PORT=${port < 65_535 ? port + 1 : port - 1} npm start`;
  const store = storeWorkers().find(({ command }) => command.includes(`=127.0.0.1:${port} `));
  if (!store) return `Port ${port} is taken. Free it, ${other}`;
  return store.orphan
    ? `Port ${port} is taken: a store that was killed left its worker behind, process ${store.pid} (data in ${store.folder}). End it with \`kill ${store.pid}\`, ${other}`
    : `Port ${port} is taken by a store that is open (data in ${store.folder}). Close it, ${other}`;
}
