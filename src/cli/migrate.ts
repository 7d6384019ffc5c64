import { type DeploymentClaim, markStore, refuseOtherStore } from './support/store-mark.ts';
import { command } from './support/command.ts';
import { chosenDatabase, directDatabase, withDatabase } from './support/database.ts';
import { deployedAddress } from './deployed-address.ts';
import { migrateDatabase } from './migrations/migrate.ts';

const usage = `npm run migrate [-- --adopt]

Brings the database in DATABASE_URL up to date, or the one of the store that runs here. It takes the direct connection
string, not the pooled one. A database keeps whose it is: it is refused if it is that of another store than the one in
wrangler.toml, or of other API_KEY_PEPPERS and SESSION_KEYS than those in the environment.

  --adopt   makes it the database of this store and of these secrets, on purpose: a copy, or a new address`;

const options = { adopt: { type: 'boolean' } } as const;

/** Describes the deployment that the database in DATABASE_URL belongs to, as far as it is known here. */
async function deploymentClaim(): Promise<DeploymentClaim> {
  const { DATABASE_URL, API_KEY_PEPPERS: peppers, SESSION_KEYS: sessionKeys } = process.env;
  return DATABASE_URL ? { address: await deployedAddress(), peppers, sessionKeys } : {};
}

await command({ usage, options }, async ({ values: { adopt = false } }) => {
  const url = directDatabase(await chosenDatabase());
  const claim = await deploymentClaim();
  if (!adopt) await withDatabase(url, (client) => refuseOtherStore(client, claim));
  await migrateDatabase(url, console.log);
  await withDatabase(url, (client) => markStore(client, claim, adopt));
  console.log('The database is up to date.');
});
