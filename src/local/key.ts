import { parseArgs } from 'node:util';
import { isScope, scopes } from '../auth/scopes.ts';
import { localSecrets, readDemo } from './folder.ts';
import { Keys } from './keys.ts';

const usage = `Manages the API keys of the store that runs here, or of the database in DATABASE_URL
(then API_KEY_PEPPERS must be that deployment's).

  npm run --silent key -- create --name NAME --scopes a,b [--expires 2027-01-31] [--ip 203.0.113.0/24,…]
  npm run --silent key -- create --name NAME --all-scopes
  npm run --silent key -- list
  npm run --silent key -- rotate ID [--overlap HOURS]
  npm run --silent key -- revoke ID
  npm run --silent key -- administrator EMAIL             makes a user an administrator
  npm run --silent key -- administrator EMAIL --remove    takes the role back

Scopes:
${scopes.map(({ name, description }) => `  ${name.padEnd(22)} ${description}`).join('\n')}`;

class UsageError extends Error {}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    scopes: { type: 'string' },
    'all-scopes': { type: 'boolean' },
    expires: { type: 'string' },
    ip: { type: 'string' },
    overlap: { type: 'string' },
    remove: { type: 'boolean' },
  },
});

const list = (text: string | undefined) => text?.split(',').map((item) => item.trim());

function chosenScopes() {
  if (values['all-scopes']) return scopes.map(({ name }) => name);
  const names = list(values.scopes) ?? [];
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new UsageError(`Unknown scope: ${unknown.join(', ')}.`);
  if (names.length === 0)
    throw new UsageError('Name the scopes: --scopes orders:read,orders:write');
  return names.filter(isScope);
}

function idArgument(): number {
  const id = Number(positionals[1]);
  if (!Number.isSafeInteger(id)) throw new UsageError('Give the id of the key; `list` shows them.');
  return id;
}

async function run(keys: Keys): Promise<void> {
  const [command] = positionals;
  if (command === 'create') {
    if (!values.name) throw new UsageError('Give the key a name: --name NAME');
    const key = { name: values.name, scopes: chosenScopes(), expires_at: values.expires };
    const token = await keys.create({ ...key, ip_allow: list(values.ip) });
    console.error('This is the only time the key is shown:');
    console.log(token);
  } else if (command === 'list') {
    console.table(
      (await keys.list()).map(({ prefixes, scopes: its, ...key }) => ({
        ...key,
        prefixes: prefixes.join(' '),
        scopes: its.length === scopes.length ? 'all' : its.join(' '),
      })),
    );
  } else if (command === 'revoke') {
    if (!(await keys.revoke(idArgument()))) throw new Error('There is no live key of this id.');
    console.log('Revoked: the key is refused from its next request on.');
  } else if (command === 'rotate') {
    const token = await keys.rotate(idArgument(), Number(values.overlap ?? 24));
    if (!token) throw new Error('There is no live key of this id.');
    console.error('The new key; the old one ends after the overlap:');
    console.log(token);
  } else if (command === 'administrator' && values.remove) {
    const unmade = await keys.unmakeAdministrator(positionals[1] ?? '');
    if (!unmade) throw new Error('No administrator has this e-mail address.');
    console.log('Done. They are none from the next request on.');
  } else if (command === 'administrator') {
    const made = await keys.makeAdministrator(positionals[1] ?? '');
    if (!made) throw new Error('No user has this e-mail address.');
    console.log('Done. They are one from the next request on.');
  } else {
    throw new UsageError(command ? `There is no command ${command}.` : 'Say what to do.');
  }
}

try {
  const url = process.env['DATABASE_URL'] ?? (await readDemo())?.database_url;
  if (!url) throw new Error('No store was started here yet: run `npm start` in another terminal.');
  const peppers = process.env['API_KEY_PEPPERS'] ?? (await localSecrets()).API_KEY_PEPPERS;
  await Keys.with(url, peppers, run);
} catch (error) {
  const refused = (error as { code?: string }).code === 'ECONNREFUSED';
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
  else if (refused) console.error('The store is not running: start it with `npm start`.');
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
