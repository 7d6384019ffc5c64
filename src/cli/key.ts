import { isScope, scopes } from '../schema/scopes.ts';
import { type Arguments, Refused, UsageError, command, refuseOthers } from './support/command.ts';
import { chosenDatabase, withDatabase } from './support/database.ts';
import { localSecrets, readDemo } from './support/folder.ts';
import { markStore } from './support/store-mark.ts';
import { table } from './support/table.ts';
import { ConsoleLinks } from './console-links.ts';
import { deployedAddress } from './deployed-address.ts';
import { expiryOf, idOf, list, nameOf, overlapOf, rangesOf } from './key-options.ts';
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
  npm run --silent key -- roles                           lists the roles that people have in the console
  npm run --silent key -- role EMAIL NAME                 gives a user such a role, in place of any other
  npm run --silent key -- role EMAIL --remove             takes it back

With --administrators a key may also issue sessions for administrators, and so can do everything that they can.`;

const details = `Scopes:
${scopes.map(({ name, description }) => `  ${name.padEnd(22)} ${description}`).join('\n')}`;

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  'all-scopes': { type: 'boolean' },
  administrators: { type: 'boolean' },
  expires: { type: 'string' },
  ip: { type: 'string' },
  overlap: { type: 'string' },
  remove: { type: 'boolean' },
  url: { type: 'string' },
} as const;

type Given = Arguments<typeof options>;

/** The options of each command, and the number of its arguments: a key or a user, and a role. */
const forms: Readonly<Record<string, { options?: readonly string[]; words?: number }>> = {
  create: { options: ['name', 'scopes', 'all-scopes', 'administrators', 'expires', 'ip'] },
  list: {},
  rotate: { options: ['overlap'], words: 1 },
  revoke: { words: 1 },
  console: { options: ['url'], words: 1 },
  administrator: { options: ['remove'], words: 1 },
  roles: {},
  role: { options: ['remove'], words: 2 },
};

/** Commands whose results work only with the deployment's peppers. */
const makingSecrets = ['create', 'rotate', 'console'];

/** @throws UsageError for an unknown command, and for options of another one */
function checkForm({ words: [name = '', ...words], values }: Given): void {
  const form = forms[name];
  if (!form) throw new UsageError(`There is no command ${name}.`);
  refuseOthers(`key ${name}`, values, form.options ?? []);
  const superfluous = words[form.words ?? 0];
  if (superfluous !== undefined) throw new UsageError(`Unexpected argument '${superfluous}'.`);
  if (name === 'role' && (words.length === 2) === Boolean(values.remove))
    throw new UsageError(
      'Give the e-mail address of the user, and the name of a role or --remove.',
    );
  if (values.administrators && !chosenScopes(values).includes('sessions:write'))
    throw new UsageError('--administrators concerns sessions: add the scope sessions:write.');
}

function chosenScopes(values: Given['values']) {
  if (values['all-scopes'] && values.scopes !== undefined)
    throw new UsageError('Give either --scopes or --all-scopes.');
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
  { words, values }: Given,
): Promise<void> {
  const [name, subject, role] = words;
  if (name === 'console') {
    if (!subject) throw new UsageError('Give the e-mail address of the user.');
    const link = await links.create(subject, await addressOf(values.url));
    if (!link)
      throw new Refused(
        'Nobody with a role in the console has this e-mail address. `administrator EMAIL` makes a user an administrator.',
      );
    console.error(`Signs ${subject} in to the console, once, within ten minutes:`);
    console.log(link);
  } else if (name === 'create') {
    const token = await keys.create({
      name: nameOf(values.name),
      scopes: chosenScopes(values),
      signs_in_administrators: values.administrators ?? false,
      expires_at: expiryOf(values.expires, new Date()),
      ip_allow: rangesOf(values.ip),
    });
    console.error('This is the only time the key is shown:');
    console.log(token);
  } else if (name === 'list') {
    const records = (await keys.list()).map(
      ({ prefixes, peppers, scopes: its, signs_in_administrators, ip_allow, ...key }) => ({
        ...key,
        prefixes: prefixes.join(' '),
        peppers: peppers.join(' '),
        administrators: signs_in_administrators ? 'yes' : 'no',
        ip: ip_allow?.join(' ') ?? 'any',
        scopes: its.length === scopes.length ? 'all' : its.join(' '),
      }),
    );
    console.log(records.length > 0 ? table(records) : 'There are no keys yet.');
  } else if (name === 'revoke') {
    if (!(await keys.revoke(idOf(subject)))) throw new Refused('No active API key has this id.');
    console.log('Revoked: the key is refused from its next request on.');
  } else if (name === 'rotate') {
    const overlap = overlapOf(values.overlap);
    const token = await keys.rotate(idOf(subject), overlap);
    if (!token) throw new Refused('No active API key has this id.');
    const old = overlap === 0 ? 'no longer works' : `works for another ${overlap} h`;
    console.error(`The new key, shown only now; the old one ${old}:`);
    console.log(token);
  } else if (name === 'roles') {
    const records = await keys.roles();
    console.log(table(records.map((each) => ({ ...each, scopes: each.scopes.join(' ') }))));
  } else {
    if (!subject) throw new UsageError('Give the e-mail address of the user.');
    if (name === 'role') {
      if (!(await keys.giveRole(subject, role ?? null)))
        throw new Refused('No user has this e-mail address.');
      console.log(
        `Done. The user has ${role ? `the role ${role}` : 'no role'} from the next request on.`,
      );
    } else if (values.remove) {
      const unmade = await keys.unmakeAdministrator(subject);
      if (!unmade) throw new Refused('No administrator has this e-mail address.');
      console.log('Done. The user is no longer an administrator, from the next request on.');
    } else {
      const made = await keys.makeAdministrator(subject);
      if (!made) throw new Refused(`No user has this e-mail address.\n${creating(subject)}`);
      console.log('Done. The user is an administrator from the next request on.');
    }
  }
}

/** The command that creates a user, who then can be made an administrator. */
const creating = (email: string) => `Create the user with a key that has the scope users:write:

  curl <address of the store>/api/svc/v1/users -H "Authorization: Bearer <the key>" \\
    -H 'Content-Type: application/json' -d '${JSON.stringify({ email })}'`;

/**
 * @returns the address of the store that the database belongs to
 * @throws UsageError if it is unknown
 */
async function addressOf(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const { origin = 'null' } = URL.parse(given) ?? {};
    if (!/^https?:/.test(origin))
      throw new UsageError('--url must be an address like https://api.shop.example.');
    return origin;
  }
  const local = process.env['DATABASE_URL'] ? undefined : (await readDemo())?.base_url;
  const address = local ?? (await deployedAddress());
  if (!address)
    throw new UsageError('Say where the deployment is: --url https://api.shop.example.');
  return address;
}

async function peppers(): Promise<string> {
  const given = process.env['API_KEY_PEPPERS'];
  if (given) return given;
  const isElsewhere = process.env['DATABASE_URL'] || (await readDemo())?.secrets !== 'machine';
  if (isElsewhere)
    throw new Refused('Set API_KEY_PEPPERS too, to the value of the deployment of this database.');
  return (await localSecrets()).API_KEY_PEPPERS;
}

await command(
  { usage, details, options, words: ['COMMAND', '[SUBJECT]', '[ROLE]'] },
  async (given) => {
    checkForm(given);
    const url = await chosenDatabase();
    const secret = await peppers();
    await withDatabase(url, async (client) => {
      if (makingSecrets.includes(given.words[0] ?? ''))
        await markStore(client, { peppers: secret });
      await run({ keys: new Keys(client, secret), links: new ConsoleLinks(client, secret) }, given);
    });
  },
);
