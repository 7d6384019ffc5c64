import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { modulesOf } from '../../modules/index.ts';
import { findWritten, readTables } from '../archive/catalogue.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { readMark } from '../support/store-mark.ts';
import { changeSettingsIn, updateOf } from '../store-settings.ts';
import { bucketName, workerName, writeConfiguration } from './configuration.ts';
import { checkDatabase } from './checking.ts';
import {
  type Definition,
  type NamedStore,
  checkName,
  checked,
  readStore,
  readStores,
  refuseTwins,
  storeFile,
  storeNames,
  storesFolder,
  writeStore,
} from './definition.ts';
import {
  areSameStrings,
  databaseSecrets,
  givenStrings,
  openNewDatabase,
  placeOf,
} from './databases.ts';
import { StoreDeployment } from './deploying.ts';
import { openOwner } from './people.ts';
import {
  type StoreSecrets,
  addSecrets,
  completeSecrets,
  readSecrets,
  refuseCommand,
  secretOf,
} from './secrets.ts';
import type { Step } from './steps.ts';
import { wrangler } from './wrangler.ts';

export interface Wanted {
  readonly address?: string | undefined;
  readonly owner?: string | undefined;
  readonly currency?: string | undefined;
  readonly 'store-name'?: string | undefined;
  readonly timezone?: string | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly region?: string | undefined;
  readonly modules?: string | undefined;
  readonly pictures?: boolean | undefined;
  readonly database?: string | undefined;
  readonly 'database-direct'?: string | undefined;
}

/** The first namespace number for rate limits of stores; `wrangler.toml` has lower ones. */
const firstNamespace = 2001;

/** The questions for required fields. */
const questions = {
  address: 'Address, like https://api.shop.example: ',
  owner: "Owner's e-mail address: ",
  currency: 'Currency, like IDR: ',
} as const;

/**
 * Returns the store in its file or, without one, the store that the options describe. Writes nothing.
 * @throws Refused if the file contradicts the options, or if a missing field cannot be asked for
 */
export async function wantedStore(name: string, wanted: Wanted): Promise<NamedStore> {
  checkName(name);
  const stores = await readStores();
  const known = stores.find((store) => store.name === name);
  const said = saidOf(wanted);
  if (known) {
    for (const [field, value] of Object.entries(said))
      if (JSON.stringify(known[field as keyof NamedStore]) !== JSON.stringify(value))
        throw new Refused(
          `${storeFile(name, 'toml')} has another value for ${field}. Change it there, then run the command without the option.`,
        );
    return known;
  }
  const namespace = Math.max(firstNamespace - 2, ...stores.map((store) => store.namespace)) + 2;
  const asked = await askedFor(said);
  const store = { name, ...checked({ namespace, ...said, ...asked }, `The store ${name}`) };
  refuseTwins(store, stores);
  refuseUnknownModules(store);
  settingsOf(store);
  return store;
}

/** @throws Refused */
function refuseUnknownModules({ modules = [] }: NamedStore): void {
  try {
    modulesOf({ MODULES: modules });
  } catch (error) {
    throw new Refused((error as Error).message, { cause: error });
  }
}

function saidOf(wanted: Wanted) {
  const {
    modules,
    'store-name': store_name,
    database,
    'database-direct': direct,
    ...said
  } = wanted;
  void [database, direct];
  const all = {
    ...said,
    ...(said.address && { address: URL.parse(said.address)?.origin ?? said.address }),
    store_name,
    modules: modules?.split(/[\s,]+/).filter((word) => word !== ''),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function askedFor(said: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const missing = Object.keys(questions).filter((name) => said[name] === undefined);
  if (missing.length === 0) return {};
  if (!process.stdin.isTTY)
    throw new Refused(`Give ${missing.map((name) => `--${name}`).join(', ')} as well.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answers: Record<string, string> = {};
  for (const name of missing)
    answers[name] = (await terminal.question(questions[name as keyof typeof questions])).trim();
  terminal.close();
  return answers;
}

/** The steps that create a store, or continue an interrupted creation. */
export function addingSteps(store: NamedStore, wanted: Wanted): Step[] {
  return [
    {
      name: 'file',
      plan: 'writes the file of the store, without secrets',
      run: () => writeFileOf(store),
    },
    { name: 'secrets', plan: 'makes peppers and session keys', run: () => makeSecrets(store) },
    {
      name: 'database',
      plan: 'finds or makes a project at Neon, or takes the strings that are given',
      run: () => openDatabase(store, wanted),
    },
    ...(store.pictures
      ? [
          {
            name: 'bucket',
            plan: 'makes a bucket for pictures and files',
            run: () => openBucket(store),
          },
        ]
      : []),
    ...new StoreDeployment(store).steps(),
    {
      name: 'settings',
      plan: 'sets name, currency, time zone, country and language',
      run: () => setUp(store),
    },
    {
      name: 'owner',
      plan: 'makes the owner a user and an administrator, unless there is one',
      run: () => openOwner(store),
    },
  ];
}

async function writeFileOf(store: NamedStore): Promise<string> {
  const file = storeFile(store.name, 'toml');
  if ((await storeNames()).includes(store.name)) return `${file}, as it was`;
  await writeStore(store);
  await readStore(store.name);
  return file;
}

async function makeSecrets(store: NamedStore): Promise<string> {
  const before = await readSecrets(store);
  await completeSecrets(store);
  return before['API_KEY_PEPPERS'] ? 'as they were' : 'new peppers and session keys';
}

/**
 * Stores the connection strings that the options name, or else those of a project at Neon; if some are stored already,
 * they stay.
 * @throws Refused for other strings than the stored ones, and for the database of another store
 */
async function openDatabase(store: NamedStore, wanted: Wanted): Promise<string> {
  const secrets = await readSecrets(store);
  const { DATABASE_URL: pooled, DATABASE_URL_DIRECT: direct } = secrets;
  const strings = givenStrings(wanted);
  if (pooled && direct) {
    if (strings && !areSameStrings(strings, { pooled, direct }))
      throw new Refused(
        `The secrets of ${store.name} have other strings, of ${placeOf({ direct })}. Go on with these, without --database; or, if the store was never deployed, take DATABASE_URL, DATABASE_URL_DIRECT and NEON_PROJECT_ID out of its secrets, and run the command again.`,
      );
    return 'as it was';
  }
  if (!strings)
    refuseCommand(store, 'Make a database yourself, and put both of its strings there.');
  const name = workerName(store.name);
  const found = await openNewDatabase(name, store, wanted);
  // Before the strings are stored: a repeat may give others.
  await refuseUsed(store, { ...secrets, ...databaseSecrets(found) }).catch((error: Error) => {
    if (found.project === undefined || !(error instanceof Refused)) throw error;
    throw new Refused(`${error.message}\n${foundText(store.name, found.project)}`, {
      cause: error,
    });
  });
  await addSecrets(store, databaseSecrets(found));
  return found.says;
}

/**
 * A filled database is taken only if its mark knows the peppers: it is then that of the store.
 * @throws Refused for the database of another store, and for one that somebody wrote into; or Unreachable
 */
async function refuseUsed(store: NamedStore, secrets: StoreSecrets): Promise<void> {
  await checkDatabase(store, secrets);
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const written = await withDatabase(url, async (client) => {
    const mark = await readMark(client);
    return mark && mark.pepper_checks.length > 0
      ? undefined
      : findWritten(client, await readTables(client));
  });
  if (written !== undefined)
    throw new Refused(
      `The database ${placeOf({ direct: url })} is not empty (${written}), and it has no mark of ${store.name}. Give an empty one. If it is that of ${store.name}, put its strings, API_KEY_PEPPERS and SESSION_KEYS into the secrets of the store, then run the command again.`,
    );
}

/** Says what to do if Neon has a project of a store's name that isn't its own. */
function foundText(name: string, project: string): string {
  const files = ['toml', 'secrets', 'uploaded'].map((ending) => `${name}.N.${ending}`).join(', ');
  const own = `${storeFile(name, 'toml')} and ${storeFile(name, 'secrets')}`;
  return `It is in the project ${workerName(name)} (${project}), which Neon had already: a store of this name was removed, or its files are elsewhere. To open that store again, put its files back in place of ${own} (a removed one has them in ${join(storesFolder(), 'removed')}, as ${files}), then run: npm run store -- deploy ${name}. To begin anew without its data, delete the project in Neon's console, then run this command again.`;
}

async function openBucket(store: NamedStore): Promise<string> {
  const name = bucketName(store.name);
  const config = await writeConfiguration(store, '');
  try {
    await wrangler('r2', 'bucket', 'create', name, '--config', config);
    return name;
  } catch (error) {
    if (!/already exists|10004/.test((error as Error).message)) throw error;
    return `${name}, as it was`;
  }
}

/**
 * The settings in a store's file.
 * @throws Refused for an invalid one
 */
function settingsOf(store: Definition) {
  const { currency, timezone, country, language, store_name, owner } = store;
  const settings = { currency, timezone, country, language, store_name, notification_email: owner };
  const words = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return updateOf(words);
}

/** The settings of an open store, which has a currency, stay as they are. */
async function setUp(store: NamedStore): Promise<string> {
  const url = secretOf(store, await readSecrets(store), 'DATABASE_URL_DIRECT');
  const { currency } = await changeSettingsIn(url, {});
  if (currency !== null) return 'as they were';
  const after = await changeSettingsIn(url, settingsOf(store));
  return `${after.store_name}, ${after.currency}, ${after.timezone}`;
}
