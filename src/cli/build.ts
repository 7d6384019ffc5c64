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

Builds the files that \`npx wrangler deploy\` uploads, and migrates the database in DATABASE_URL, which has to be the direct
connection string, not the pooled one. Wrangler runs this by itself. In Workers Builds, DATABASE_URL is a build variable;
without it the build is refused.`;

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
  else console.warn('DATABASE_URL is not set: the database is not migrated.');
  await buildDeployment(config.vars);
}

async function migrate(url: string, vars: Readonly<Record<string, unknown>>): Promise<void> {
  const claim = claimOf(vars);
  await withDatabase(url, (client) => refuseOtherStore(client, claim));
  await migrateDatabase(url, (line) => console.log(line));
  await withDatabase(url, (client) => markStore(client, claim));
}

await command({ usage }, async () => {
  if (!process.env[isBuilt]) await build();
});
