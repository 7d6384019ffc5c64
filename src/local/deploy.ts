import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { buildAssets } from './assets.ts';
import { migrateDatabase, noDatabase } from './migrate.ts';
import { buildWorker } from './worker/build.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Builds everything, brings the database up to date and deploys the worker, in this order. */
async function deploy(options: string[]): Promise<number> {
  const { values } = parseArgs({
    args: options,
    options: { env: { type: 'string', short: 'e' } },
    strict: false,
  });
  const env = values['env'] ?? process.env['CLOUDFLARE_ENV'];
  const { vars } = readWranglerConfig({
    config: join(checkout, 'wrangler.toml'),
    ...(typeof env === 'string' && { env }),
  });
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL) {
    console.error(noDatabase);
    return 1;
  }
  await buildAssets(vars, join(checkout, 'dist/assets'));
  await writeFile(
    join(checkout, 'dist/worker.js'),
    await buildWorker(join(checkout, 'src/worker.ts')),
  );
  console.log(`The worker is built, its documentation for ${String(vars['BASE_URL'])}.`);
  await migrateDatabase(DATABASE_URL);
  console.log('The database is up to date.');
  const wrangler = spawn('wrangler', ['deploy', ...options], { cwd: checkout, stdio: 'inherit' });
  const [code] = await once(wrangler, 'close');
  return code as number;
}

// All options are `wrangler deploy`'s: --env NAME, --dry-run, …
process.exitCode = await deploy(process.argv.slice(2)).catch((error: Error) => {
  console.error(`Not deployed: ${error.message}`);
  return 1;
});
