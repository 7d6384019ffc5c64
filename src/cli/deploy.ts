import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { type Arguments, Refused, command } from './support/command.ts';
import { directDatabase, withDatabase } from './support/database.ts';
import { markStore, refuseOtherStore } from './support/store-mark.ts';
import { limitVariables, missing } from './deployment.ts';
import { buildDeployment, isBuilt } from './deployment-build.ts';
import { claimOf } from './deployment-claim.ts';
import { migrateAround } from './migrations/migrate.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

const usage = `DATABASE_URL='<direct connection string>' npm run deploy [-- OPTIONS]

Builds everything, migrates the database and deploys the worker, in this order. Then it fills new columns in the rows that
the previous worker wrote in the meantime.

  --env NAME, -e   deploys the environment of this name in wrangler.toml; by default the one in CLOUDFLARE_ENV
  --dry-run        builds, says what the deployment would lack, and leaves the database alone
  --outdir FOLDER  writes the deployed files into this folder

These options are passed on to \`wrangler deploy\`.`;

const options = {
  env: { type: 'string', short: 'e' },
  'dry-run': { type: 'boolean' },
  outdir: { type: 'string' },
} as const;

async function deploy({ values }: Arguments<typeof options>): Promise<number> {
  const { outdir } = values;
  const env = values.env ?? process.env['CLOUDFLARE_ENV'];
  const config = readWranglerConfig({
    config: join(checkout, 'wrangler.toml'),
    ...(env !== undefined && { env }),
  });
  const dry = values['dry-run'] ?? false;
  const database = dry ? undefined : directDatabase(process.env['DATABASE_URL']);
  const lacking = missing(config);
  if (lacking.length > 0) {
    const text = lacking.map((problem) => `  ${problem}`).join('\n');
    if (!dry) throw new Refused(`wrangler.toml is not complete:\n${text}`);
    console.warn(`Before it can be deployed, wrangler.toml needs to be completed:\n${text}`);
  }
  const claim = claimOf(config.vars);
  if (database) await withDatabase(database, (client) => refuseOtherStore(client, claim));
  await buildDeployment(config.vars);
  const limits = limitVariables(config).flatMap((variable) => ['--var', variable]);
  const handedOn = [
    ...(values.env === undefined ? [] : ['--env', values.env]),
    ...(dry ? ['--dry-run'] : []),
    ...(outdir === undefined ? [] : ['--outdir', outdir]),
  ];
  const upload = (...more: string[]) => runWrangler(['deploy', ...handedOn, ...limits, ...more]);
  if (!database) return upload();
  const uploadOwn = async () => {
    const id = await withDatabase(database, (client) => markStore(client, claim));
    return upload('--var', `STORE_ID:${id}`);
  };
  return migrateAround(database, uploadOwn, console.log);
}

/** @returns the exit code */
async function runWrangler(parameters: readonly string[]): Promise<number> {
  const wrangler = spawn('wrangler', parameters, {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, [isBuilt]: '1' },
  });
  const [code] = await once(wrangler, 'close');
  return code as number;
}

await command({ usage, options }, (given) =>
  deploy(given).catch((error: Error) => {
    const Kind = error instanceof Refused ? Refused : Error;
    throw new Kind(`Not deployed: ${error.message}`, { cause: error });
  }),
);
