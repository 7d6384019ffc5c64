import { type DeploymentClaim, markStore, refuseOtherStore } from './support/store-mark.ts';
import { command } from './support/command.ts';
import { chosenDatabase, directDatabase, withDatabase } from './support/database.ts';
import { deployedAddress } from './deployed-address.ts';
import { migrateDatabase } from './migrations/migrate.ts';

const usage = `npm run migrate [-- --adopt]

Migrates the database in DATABASE_URL, or that of the store that runs here. It takes the direct connection string, not the
pooled one. A database knows its store: it is refused if it belongs to another store than the one in wrangler.toml, or to
other API_KEY_PEPPERS and SESSION_KEYS than those in the environment.

  --adopt   gives the database to this store and these secrets, on purpose: for a copy, or a new address`;

const options = { adopt: { type: 'boolean' } } as const;

async function deploymentClaim(): Promise<DeploymentClaim> {
  const { DATABASE_URL, API_KEY_PEPPERS: peppers, SESSION_KEYS: sessionKeys } = process.env;
  return DATABASE_URL ? { address: await deployedAddress(), peppers, sessionKeys } : {};
}

await command({ usage, options }, async ({ values: { adopt = false } }) => {
  const url = directDatabase(await chosenDatabase());
  const claim = await deploymentClaim();
  if (!adopt) await withDatabase(url, (client) => refuseOtherStore(client, claim));
  await migrateDatabase(url, (line) => console.log(line));
  await withDatabase(url, (client) => markStore(client, claim, adopt));
  console.log('The database is up to date.');
});
