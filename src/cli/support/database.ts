import { Client } from 'pg';
import { storeWorkers } from '../../local/worker/leftover.ts';
import { Refused } from './refusals.ts';
import { localPath, readDemo } from './folder.ts';

/**
 * Returns the database that a command acts on: the one in DATABASE_URL, or that of the store that runs here. If several
 * stores are open in this checkout, it is the one that opened first, and the command says so.
 * @throws Error if there is neither
 */
export async function chosenDatabase(): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const store = await readDemo();
  if (!store)
    throw new Error(
      'There is no database: open a store with `npm start` in another terminal, or set DATABASE_URL to a connection string.',
    );
  const answer = await fetch(new URL('/healthz', store.base_url)).catch(() => undefined);
  if (!answer?.ok) throw new Error('The store is not running: start it with `npm start`.');
  if (storeWorkers().filter(({ folder }) => folder === localPath()).length > 1)
    console.error(`Several stores are open in this checkout. This is about ${store.base_url}.`);
  return store.database_url;
}

/** A database that could not be connected to. */
export class Unreachable extends Error {
  constructor(name: string, cause: Error & { code?: string }) {
    super(`The ${name} could not be reached: ${cause.message || cause.code}`, { cause });
  }
}

/** The time limit of a connection, in milliseconds: a database that sleeps wakes in a few seconds. */
const patience = 30_000;

/**
 * Connects to a database for the duration of the work.
 * @param url a connection string, direct or pooled
 * @param name the name of the database in an error
 * @throws Unreachable
 */
export async function withDatabase<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  name = url === process.env['DATABASE_URL'] ? 'database in DATABASE_URL' : 'database',
): Promise<T> {
  const client = new Client({
    connectionString: withPlainTls(url),
    connectionTimeoutMillis: patience,
  });
  // The running query fails too; without a listener the process would end here.
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw new Unreachable(name, error);
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Replaces `require`, `prefer` and `verify-ca` by `verify-full`, as `pg` does, but without its eight lines of warning.
 */
export function withPlainTls(url: string): string {
  if (url.includes('uselibpqcompat')) return url;
  return url.replace(/([?&]sslmode=)(require|prefer|verify-ca)(?=&|$)/, '$1verify-full');
}

/**
 * @param name the variable or the option that has the connection string
 * @throws Refused if the connection string is missing or leads to Neon's pooler
 */
export function directDatabase(url: string | undefined, name = 'DATABASE_URL'): string {
  if (!url)
    throw new Refused(
      'Set DATABASE_URL to the direct (not pooled) connection string of the database.',
    );
  const host = URL.parse(url)?.hostname ?? '';
  if (/^[^.]+-pooler\./.test(host))
    throw new Refused(
      `Migrations don't run through the pooler (${host}): set ${name} to the direct connection string, with the host ${host.replace('-pooler.', '.')}.`,
    );
  return url;
}
