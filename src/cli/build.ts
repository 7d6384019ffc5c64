import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { missing } from './deployment.ts';
import { buildDeployment, isBuilt } from './deployment-build.ts';
import { claimOf } from './deployment-claim.ts';
import { migrateDatabase } from './migrations/migrate.ts';
import { Refused, command } from './support/command.ts';
import { directDatabase, withDatabase } from './support/database.ts';
import { markStore, refuseOtherStore } from './support/store-mark.ts';

const usage = `npm run build

Builds what \`npx wrangler deploy\` uploads, which runs it by itself, and brings the database in DATABASE_URL up to date: the
direct connection string, not the pooled one. Workers Builds takes it as a build variable, and is refused without it.`;

const root = fileURLToPath(new URL('../..', import.meta.url));

async function build(): Promise<void> {
  const env = process.env['CLOUDFLARE_ENV'];
  const config = readWranglerConfig({ config: `${root}wrangler.toml`, ...(env && { env }) });
  const lacking = missing(config);
  if (lacking.length > 0)
    throw new Refused(
      `wrangler.toml is not complete:\n${lacking.map((one) => `  ${one}`).join('\n')}`,
    );
  const url = process.env['DATABASE_URL'];
  if (!url && process.env['WORKERS_CI'])
    throw new Refused(
      'Set DATABASE_URL among the build variables, to the direct connection string: the database is brought up to date before the worker is deployed.',
    );
  if (url) await migrate(directDatabase(url), config.vars);
  else console.warn('DATABASE_URL is not set: the database is not brought up to date.');
  await buildDeployment(config.vars);
}

async function migrate(url: string, vars: Readonly<Record<string, unknown>>): Promise<void> {
  const claim = claimOf(vars);
  await withDatabase(url, (client) => refuseOtherStore(client, claim));
  await migrateDatabase(url, console.log);
  await withDatabase(url, (client) => markStore(client, claim));
}

await command({ usage }, async () => {
  if (!process.env[isBuilt]) await build();
});
