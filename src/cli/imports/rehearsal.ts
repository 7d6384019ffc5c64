import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../local/postgres/index.ts';
import { directDatabase } from '../support/database.ts';

/**
 * Does something with the database that is written to: the one in DATABASE_URL, or in a rehearsal an empty one of its
 * own that is gone afterwards.
 */
export async function withTarget<T>(
  isWritten: boolean,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (isWritten) return work(directDatabase(process.env['DATABASE_URL']));
  const folder = await mkdtemp(join(tmpdir(), 'sales-api-rehearsal-'));
  try {
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
