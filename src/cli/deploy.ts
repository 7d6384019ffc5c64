import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { readPublishedConfig } from '../config.ts';
import { buildAssets } from './assets.ts';
import { directDatabase } from './support/database.ts';
import { limitVariables, missing } from './deployment.ts';
import { migrateDatabase } from './support/migrations.ts';
import { buildWorker } from '../local/worker/build.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds everything, brings the database up to date and deploys the worker, in this order. A dry run
 * builds, says what the deployment would lack, and leaves the database alone.
 */
async function deploy(options: string[]): Promise<number> {
  const { values } = parseArgs({
    args: options,
    options: { env: { type: 'string', short: 'e' }, 'dry-run': { type: 'boolean' } },
    strict: false,
  });
  const env = values['env'] ?? process.env['CLOUDFLARE_ENV'];
  const config = readWranglerConfig({
    config: join(checkout, 'wrangler.toml'),
    ...(typeof env === 'string' && { env }),
  });
  const dry = values['dry-run'] === true;
  const database = dry ? undefined : directDatabase(process.env['DATABASE_URL']);
  const lacking = missing(config);
  if (lacking.length > 0) {
    const text = lacking.map((problem) => `  ${problem}`).join('\n');
    if (!dry) throw new Error(`wrangler.toml is not complete:\n${text}`);
    console.warn(`Before it can be deployed, wrangler.toml needs to be completed:\n${text}`);
  }
  await buildAssets(config.vars, join(checkout, 'dist/assets'));
  const { MODULES: modules } = readPublishedConfig(config.vars);
  await writeFile(
    join(checkout, 'dist/worker.js'),
    await buildWorker(join(checkout, 'src/worker.ts'), { modules }),
  );
  console.log(`The worker is built, its documentation for ${String(config.vars['BASE_URL'])}.`);
  if (database) {
    await migrateDatabase(database);
    console.log('The database is up to date.');
  }
  const limits = limitVariables(config).flatMap((variable) => ['--var', variable]);
  const wrangler = spawn('wrangler', ['deploy', ...options, ...limits], {
    cwd: checkout,
    stdio: 'inherit',
  });
  const [code] = await once(wrangler, 'close');
  return code as number;
}

// All options are `wrangler deploy`'s: --env NAME, --dry-run, …
process.exitCode = await deploy(process.argv.slice(2)).catch((error: Error) => {
  console.error(`Not deployed: ${error.message}`);
  return 1;
});
