import { parseArgs } from 'node:util';
import { isScope, scopes } from '../schema/scopes.ts';
import { command as runCommand } from './support/command.ts';
import { chosenDatabase, withDatabase } from './support/database.ts';
import { localSecrets, readDemo } from './support/folder.ts';
import { table } from './support/table.ts';
import { ConsoleLinks } from './console-links.ts';
import { deployedAddress } from './deployed-address.ts';
import { UsageError, expiryOf, idOf, list, nameOf, overlapOf, rangesOf } from './key-options.ts';
import { Keys } from './keys.ts';

const usage = `Manages the API keys of the store that runs here, or of the database in DATABASE_URL
(then API_KEY_PEPPERS must be that deployment's).

  npm run --silent key -- create --name NAME --scopes a,b [--expires 2027-01-31] [--ip 203.0.113.0/24,…]
  npm run --silent key -- create --name NAME --all-scopes [--administrators]
  npm run --silent key -- list
  npm run --silent key -- rotate ID [--overlap HOURS]
  npm run --silent key -- revoke ID
  npm run --silent key -- console EMAIL [--url ADDRESS]   prints a link that signs in to the console, once, within
                                                          ten minutes
  npm run --silent key -- administrator EMAIL             makes a user an administrator
  npm run --silent key -- administrator EMAIL --remove    takes the role back

With --administrators a key may issue sessions for administrators too, and so do all that they can.

Scopes:
${scopes.map(({ name, description }) => `  ${name.padEnd(22)} ${description}`).join('\n')}`;

type Arguments = ReturnType<typeof readArguments>;

/** @throws UsageError */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        'all-scopes': { type: 'boolean' },
        administrators: { type: 'boolean' },
        expires: { type: 'string' },
        ip: { type: 'string' },
        overlap: { type: 'string' },
        remove: { type: 'boolean' },
        url: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // The rest of its message is about arguments that begin with a dash.
    throw new UsageError((error as Error).message.split('. To ')[0]);
  }
}

function chosenScopes(values: Arguments['values']) {
  if (values['all-scopes']) return scopes.map(({ name }) => name);
  const names = list(values.scopes) ?? [];
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new UsageError(`Unknown scope: ${unknown.join(', ')}.`);
  if (names.length === 0)
    throw new UsageError('Name the scopes: --scopes orders:read,orders:write');
  return names.filter(isScope);
}

async function run(
  { keys, links }: { keys: Keys; links: ConsoleLinks },
  { positionals, values }: Arguments,
): Promise<void> {
  const [command, subject] = positionals;
  if (command === 'console') {
    if (!subject) throw new UsageError('Give the e-mail address of the user.');
    const link = await links.create(subject, await addressOf(values.url));
    if (!link)
      throw new Error(
        'No administrator or shop manager has this e-mail address. `administrator EMAIL` makes a user one.',
      );
    console.error(`Signs ${subject} in to the console, once, within ten minutes:`);
    console.log(link);
  } else if (command === 'create') {
    const token = await keys.create({
      name: nameOf(values.name),
      scopes: chosenScopes(values),
      signs_in_administrators: values.administrators ?? false,
      expires_at: expiryOf(values.expires, new Date()),
      ip_allow: rangesOf(values.ip),
    });
    console.error('This is the only time the key is shown:');
    console.log(token);
  } else if (command === 'list') {
    const records = (await keys.list()).map(
      ({ prefixes, peppers, scopes: its, signs_in_administrators, ...key }) => ({
        ...key,
        prefixes: prefixes.join(' '),
        peppers: peppers.join(' '),
        administrators: signs_in_administrators ? 'yes' : 'no',
        scopes: its.length === scopes.length ? 'all' : its.join(' '),
      }),
    );
    console.log(records.length > 0 ? table(records) : 'There are no keys yet.');
  } else if (command === 'revoke') {
    if (!(await keys.revoke(idOf(subject)))) throw new Error('There is no live key of this id.');
    console.log('Revoked: the key is refused from its next request on.');
  } else if (command === 'rotate') {
    const overlap = overlapOf(values.overlap);
    const token = await keys.rotate(idOf(subject), overlap);
    if (!token) throw new Error('There is no live key of this id.');
    console.error(`The new key, shown only now; the old one works for another ${overlap} h:`);
    console.log(token);
  } else if (command === 'administrator') {
    if (!subject) throw new UsageError('Give the e-mail address of the user.');
    if (values.remove) {
      const unmade = await keys.unmakeAdministrator(subject);
      if (!unmade) throw new Error('No administrator has this e-mail address.');
      console.log('Done. The user is no longer an administrator, from the next request on.');
    } else {
      const made = await keys.makeAdministrator(subject);
      if (!made) throw new Error('No user has this e-mail address.');
      console.log('Done. The user is an administrator from the next request on.');
    }
  } else {
    throw new UsageError(command ? `There is no command ${command}.` : 'Say what to do.');
  }
}

/** Where the store that the database belongs to is reached. @throws UsageError */
async function addressOf(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const { origin = 'null' } = URL.parse(given) ?? {};
    if (!/^https?:/.test(origin))
      throw new UsageError('--url takes an address like https://api.shop.example.');
    return origin;
  }
  const local = process.env['DATABASE_URL'] ? undefined : (await readDemo())?.base_url;
  const address = local ?? (await deployedAddress());
  if (!address)
    throw new UsageError('Say where the deployment is: --url https://api.shop.example.');
  return address;
}

/** The peppers of the store that the database belongs to. */
async function peppers(): Promise<string> {
  const given = process.env['API_KEY_PEPPERS'];
  if (!given && process.env['DATABASE_URL'])
    throw new Error('Set API_KEY_PEPPERS too: to what the deployment of this database has.');
  return given || (await localSecrets()).API_KEY_PEPPERS;
}

await runCommand(async () => {
  try {
    const given = readArguments();
    if (given.values.help) {
      console.log(usage);
      return 0;
    }
    const url = await chosenDatabase();
    const secret = await peppers();
    await withDatabase(url, (client) =>
      run({ keys: new Keys(client, secret), links: new ConsoleLinks(client, secret) }, given),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\nHow it is used: npm run key -- --help`);
    return 1;
  }
});
