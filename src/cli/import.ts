import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../local/postgres/index.ts';
import { readArchive } from './archive/read.ts';
import { checkIntegrity } from './integrity.ts';
import { migrateDatabase } from './migrate.ts';
import { command } from './support/command.ts';
import { directDatabase, withDatabase } from './support/database.ts';
import { table } from './support/table.ts';

const usage = `npm run import -- store FOLDER [--write]

Reads what \`npm run export -- FOLDER\` wrote: every row as it was, checked. Without --write it goes into a PostgreSQL
that is thrown away, as a rehearsal; with it, into the empty database behind DATABASE_URL (a direct connection).`;

/** Does something with an empty database that is gone afterwards. */
async function rehearsed<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sales-api-rehearsal-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readStore(url: string, folder: string): Promise<number> {
  await migrateDatabase(url);
  return withDatabase(url, async (client) => {
    const { tables } = await readArchive(client, folder, (name, rows) => {
      if (rows > 0) console.log(`  ${name} ${rows}`);
    });
    const total = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
    console.log(`${total} rows are in, each as it was exported.`);
    const differences = (await checkIntegrity(client)).filter((check) => check.differences > 0);
    if (differences.length === 0) return 0;
    console.log(`The store had these differences when it was exported:\n${table(differences)}`);
    return 1;
  });
}

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const [kind, folder] = positionals;
  if (kind !== 'store' || folder === undefined || positionals.length > 2) {
    console.error(usage);
    return 1;
  }
  if (values.write) return readStore(directDatabase(process.env['DATABASE_URL']), folder);
  console.log('A rehearsal: nothing is written but into a PostgreSQL that is thrown away.');
  const code = await rehearsed((url) => readStore(url, folder));
  console.log('Run it with --write and DATABASE_URL to read it into a store.');
  return code;
});
