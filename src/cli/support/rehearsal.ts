import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../local/postgres/index.ts';
import { clearLeftover } from '../../local/postgres/leftover.ts';
import { processInfo } from '../../local/processes.ts';
import { directDatabase } from './database.ts';
import { localPath, openFolder } from './folder.ts';

const rehearsals = () => localPath('rehearsals');

/** Works on the database in DATABASE_URL or, in a rehearsal, on an empty temporary one. */
export async function withTarget<T>(
  isWritten: boolean,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (isWritten) return work(directDatabase(process.env['DATABASE_URL']));
  await openFolder(localPath());
  await clearKilledRehearsals();
  const folder = join(rehearsals(), String(process.pid));
  try {
    const postgres = await startPostgres({ dataDir: folder, durable: false });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stops the servers of killed rehearsals, and deletes their data. */
export async function clearKilledRehearsals(): Promise<void> {
  const pids = existsSync(rehearsals()) ? await readdir(rehearsals()) : [];
  for (const pid of pids.filter((name) => !processInfo(Number(name)))) {
    const folder = join(rehearsals(), pid);
    await clearLeftover(folder);
    await rm(folder, { recursive: true, force: true });
  }
}
