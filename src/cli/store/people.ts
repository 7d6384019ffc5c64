import { newUser } from '../../domain/user/rules.ts';
import { UserCreate } from '../../domain/user/schemas.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { insertUser } from '../../queries/user-writes.ts';
import { ConsoleLinks } from '../console-links.ts';
import { Keys } from '../keys.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { inTransaction, send } from '../support/statements.ts';
import { markStore } from '../support/store-mark.ts';
import { type NamedStore, storeFile } from './definition.ts';
import { type StoreSecrets, addSecrets, readSecrets, secretOf } from './secrets.ts';

/** The name of the key with which a store's operator reads its status. */
export const operatorKey = 'Operator of `npm run store`';

const databaseOf = (store: NamedStore, secrets: StoreSecrets) =>
  secretOf(store, secrets, 'DATABASE_URL_DIRECT');

/** Creates the operator's key unless a working one exists. A key that an interrupted run left is revoked. */
export async function openOperatorKey(store: NamedStore): Promise<string> {
  const secrets = await readSecrets(store);
  const peppers = secretOf(store, secrets, 'API_KEY_PEPPERS');
  return withDatabase(databaseOf(store, secrets), async (client) => {
    const keys = new Keys(client, peppers);
    const known = secrets['OPERATOR_KEY'];
    if (known && (await keys.accepts(known))) return 'as it was';
    if (store.secrets_command !== undefined)
      throw new Refused(
        `The secrets_command of ${store.name} prints no OPERATOR_KEY that works. Create one: npm run key -- create --name Operator --scopes status:read`,
      );
    const left = (await keys.list()).filter(
      ({ name, revoked_at }) => name === operatorKey && revoked_at === null,
    );
    for (const { id } of left) await keys.revoke(id);
    const token = await keys.create({
      ...{ name: operatorKey, scopes: ['status:read'], signs_in_administrators: false },
    });
    await addSecrets(store, { OPERATOR_KEY: token });
    return 'a new one, which reads the status';
  });
}

/** Makes the owner of a store its first administrator, unless blocked; the user is created if missing. */
export async function openOwner(store: NamedStore): Promise<string> {
  const secrets = await readSecrets(store);
  const peppers = secretOf(store, secrets, 'API_KEY_PEPPERS');
  return withDatabase(databaseOf(store, secrets), async (client) => {
    const known = await new ConsoleLinks(client, peppers).administrator();
    if (known !== undefined) return `as it was: ${known} is an administrator`;
    const isNew = await inTransaction(client, async () => {
      // Lets only one of two parallel commands create the user.
      await client.query("select pg_advisory_xact_lock(hashtext('store owner'))");
      const body = UserCreate.parse({ email: store.owner });
      const known = await client.query('select from users where email = $1', [body.email]);
      if (known.rows.length > 0) return false;
      const id = nextId(await send(client, drawId('users')));
      for (const statement of insertUser(newUser(body, null, id, new Date())))
        await send(client, statement);
      return true;
    });
    const isMade = await new Keys(client, peppers).makeAdministrator(store.owner);
    if (!isMade) return `nobody is an administrator: ${store.owner} is blocked`;
    return `${store.owner}, ${isNew ? 'a new user' : 'known before'}, is an administrator`;
  });
}

/**
 * @returns a link that signs in to the console
 * @throws Refused if nobody with a role in the console has the address
 */
export async function consoleLink(store: NamedStore, email: string): Promise<string> {
  const secrets = await readSecrets(store);
  const peppers = secretOf(store, secrets, 'API_KEY_PEPPERS');
  return withDatabase(databaseOf(store, secrets), async (client) => {
    await markStore(client, { address: store.address, peppers });
    const link = await new ConsoleLinks(client, peppers).create(email, store.address);
    if (!link) throw new Refused(`Nobody with a role in the console has the address ${email}.`);
    return link;
  });
}

/**
 * Invites an administrator to the console: the owner, or another one of a store that was moved in.
 * @returns a text with a link, or how to make an administrator
 */
export async function invitation(store: NamedStore): Promise<string> {
  const secrets = await readSecrets(store);
  const peppers = secretOf(store, secrets, 'API_KEY_PEPPERS');
  const email = await withDatabase(databaseOf(store, secrets), (client) =>
    new ConsoleLinks(client, peppers).administrator(store.owner),
  );
  if (email === undefined)
    return `Nobody is an administrator, because ${store.owner} is blocked. Set another \`owner\` in ${storeFile(store.name, 'toml')}, then run the command again.`;
  const link = await consoleLink(store, email);
  return `This link signs ${email} in, once, within ten minutes:\n\n${link}`;
}
