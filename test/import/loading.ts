import { Client } from 'pg';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { load } from '../../packages/import/src/load.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { stage } from '../../packages/import/src/staging.ts';

/** Loads the dump of a Sejoli shop into a store, and is killed before the n-th commit; 0 = never. */
const [url = '', path = '', folder = '', at = '0'] = process.argv.slice(2);
const client = new Client({ connectionString: url });
await client.connect();
let commits = 0;
const query = client.query.bind(client) as (...args: unknown[]) => unknown;
client.query = ((...args: unknown[]) => {
  if (args[0] === 'commit' && ++commits === Number(at)) process.kill(process.pid, 'SIGKILL');
  return query(...args);
}) as typeof client.query;
const staging = await stage(sejoliImporter.source, dumpFile(path), { folder });
await load(client, sejoliImporter, staging, sejoliImporter.plan(staging, {}));
staging[Symbol.dispose]();
await client.end();
