import { type Arguments, Refused, UsageError, command, refuseOthers } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { markStore } from '../support/store-mark.ts';
import { table } from '../support/table.ts';
import { changeSettingsIn, settingRows, updateOf } from '../store-settings.ts';
import { addingSteps, wantedStore } from './adding.ts';
import { backupSteps, drillSteps } from './backups.ts';
import { checkDatabase, claimOf } from './checking.ts';
import { type NamedStore, readStore, readStores, readStoresApart } from './definition.ts';
import { StoreDeployment, inOrder } from './deploying.ts';
import { showStores } from './inspecting.ts';
import { withLock } from './lock.ts';
import { consoleLink, invitation } from './people.ts';
import { removalSteps, remains } from './removing.ts';
import { readSecrets, secretOf } from './secrets.ts';
import { refuseUnfinishedRestore, restoreCommand } from './restore-note.ts';
import { restoreSteps } from './restoring.ts';
import { type Rotated, databaseRotationSteps, rotated, rotationSteps } from './rotating.ts';
import { type Step, type Task, perform } from './steps.ts';

const usage = `npm run store -- COMMAND …

Looks after the stores of this checkout: each is a deployment of its own, with its file and its secrets in stores/, or in
STORES_DIR. After an interruption, run the command again: it continues.

  npm run store -- add NAME --address https://api.shop.example --owner a@b.c --currency IDR
      [--region aws-ap-southeast-1] [--store-name NAME] [--timezone ZONE] [--country ID] [--language id]
      [--modules a,b] [--pictures] [--database URL --database-direct URL]
                                        makes a store: its database at Neon (NEON_API_KEY, NEON_ORG_ID), its secrets,
                                        worker, settings and owner, and prints a link into its console
  npm run store -- list                 all stores in a table
  npm run store -- status [NAME]        the same, and ends with 1 if one is not ready, out of order, or cannot be
                                        deployed by its files, or if its restore is unfinished
  npm run store -- deploy NAME          brings a store to the version of this checkout
  npm run store -- deploy --all [--first NAME]
                                        does so with all, one after the other, and stops at the first that fails
  npm run store -- settings NAME [KEY=VALUE …]
                                        shows or changes a store's settings
  npm run store -- console NAME EMAIL   prints a link that signs in to its console, once, within ten minutes
  npm run store -- rotate NAME peppers|session-keys [--finish]
                                        adds a new secret, and both are valid; --finish drops the old one
  npm run store -- rotate NAME database [--database URL --database-direct URL]
                                        gives the database a new password, by NEON_API_KEY, or takes its new strings
  npm run store -- backup NAME [--keep N]
                                        exports the store into a folder in stores/backups, encrypted, with its pictures
                                        and files, and keeps the N newest and that of an unfinished restore
  npm run store -- restore NAME FOLDER [--database URL --database-direct URL] [--of ADDRESS]
                                        restores a backup into a new database; the previous database is kept. --of
                                        names the store of a backup that is another's, or does not say whose it is
  npm run store -- restore NAME FOLDER --drill
                                        reads a backup into a temporary PostgreSQL, and compares every table
  npm run store -- adopt NAME           gives its database to its address and secrets, on purpose
  npm run store -- remove NAME [--yes]  deletes its worker, and says what stays behind

  --dry-run   prints what a command would do, and does nothing

They end with 0 if all is right, 1 if something failed and can be repeated, 2 if it is refused.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const options = {
  ...{ address: text, owner: text, currency: text, region: text, 'store-name': text },
  ...{ timezone: text, country: text, language: text, modules: text, pictures: flag },
  ...{ database: text, 'database-direct': text, all: flag, first: text, yes: flag },
  ...{ finish: flag, keep: text, drill: flag, of: text },
  'dry-run': flag,
} as const;

type Given = Arguments<typeof options>;
type Values = Given['values'];

const ofAdding = [
  ...['address', 'owner', 'currency', 'region', 'store-name', 'timezone', 'country', 'language'],
  ...['modules', 'pictures', 'database', 'database-direct'],
];

/** The number of stores that fit into the crons of a free account. */
const freeStores = 5;

interface Form {
  readonly options: readonly string[];
  /** The minimum and the maximum number of words after the subcommand. */
  readonly words: readonly [least: number, most: number];
  readonly run: (words: readonly string[], values: Values) => Promise<number | void>;
}

const forms: Readonly<Record<string, Form>> = {
  add: { options: ofAdding, words: [1, 1], run: add },
  list: { options: [], words: [0, 0], run: list },
  status: { options: [], words: [0, 1], run: status },
  deploy: { options: ['all', 'first'], words: [0, 1], run: deploy },
  settings: { options: [], words: [1, Infinity], run: settings },
  console: { options: [], words: [2, 2], run: signIn },
  rotate: { options: ['finish', 'database', 'database-direct'], words: [2, 2], run: rotate },
  backup: { options: ['keep'], words: [1, 1], run: backup },
  restore: { options: ['drill', 'database', 'database-direct', 'of'], words: [2, 2], run: restore },
  adopt: { options: [], words: [1, 1], run: adopt },
  remove: { options: ['yes'], words: [1, 1], run: remove },
};

async function add([name = '']: readonly string[], values: Values): Promise<void> {
  const { 'dry-run': isDry = false, all: _all, first: _first, yes: _yes, ...wanted } = values;
  const store = await wantedStore(name, wanted);
  if ((await readStores()).length >= freeStores)
    console.log('More than five stores take the paid plan of Workers: each has a cron.');
  const again = withStrings(`npm run store -- add ${name}`, values);
  const task = { title: `Adding ${name}`, again };
  if (isDry) return perform(task, addingSteps(store, wanted), true);
  await withLock(name, () => perform(task, addingSteps(store, wanted), false));
  console.log(`\n${store.address} is open.`);
  console.log(await invitation(store));
}

async function list(): Promise<void> {
  await showStores(...(await readStoresApart()));
}

async function status([name]: readonly string[]): Promise<number> {
  const isInOrder = name
    ? await showStores([await readStore(name)])
    : await showStores(...(await readStoresApart()));
  return isInOrder ? 0 : 1;
}

async function deploy([name]: readonly string[], values: Values): Promise<void> {
  const { all = false, first } = values;
  if (all === (name !== undefined)) throw new UsageError('Name one store, or give --all.');
  if (first !== undefined && !all) throw new UsageError('--first goes with --all.');
  const stores = all ? inOrder(await readStores(), first) : [await readStore(name ?? '')];
  for (const [i, store] of stores.entries()) {
    const again = `npm run store -- deploy ${store.name}`;
    const task = { title: `Deploying ${store.name} (${i + 1} of ${stores.length})`, again };
    const steps = new StoreDeployment(store).steps();
    try {
      await refuseUnfinishedRestore(store);
      await performLocked(store, task, steps, values);
    } catch (error) {
      throw withRest(
        error as Error,
        stores.slice(i + 1).map(({ name }) => name),
      );
    }
  }
}

/** Adds the stores that were not begun to an error. */
function withRest(error: Error, left: readonly string[]): Error {
  if (left.length === 0) return error;
  const Kind = error instanceof Refused ? Refused : Error;
  return new Kind(`${error.message}\nNot begun: ${left.join(', ')}.`, { cause: error });
}

async function settings([name = '', ...words]: readonly string[], values: Values): Promise<void> {
  const store = await readStore(name);
  const update = updateOf(words);
  if (values['dry-run']) {
    console.log(`Would change ${Object.keys(update).join(', ') || 'nothing'} of ${name}.`);
    return;
  }
  await refuseUnfinishedRestore(store);
  const secrets = await readSecrets(store);
  await checkDatabase(store, secrets);
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  console.log(table(settingRows(await changeSettingsIn(url, update))));
}

async function signIn([name = '', email = '']: readonly string[], values: Values): Promise<void> {
  const store = await readStore(name);
  if (values['dry-run']) console.log(`Would make a link for ${email} at ${store.address}.`);
  else {
    await refuseUnfinishedRestore(store);
    console.log(await consoleLink(store, email));
  }
}

async function rotate([name = '', what = '']: readonly string[], values: Values): Promise<void> {
  const isRotated = (word: string): word is Rotated =>
    (rotated as readonly string[]).includes(word);
  if (!isRotated(what)) throw new UsageError(`\`store rotate\` takes ${rotated.join(', ')}.`);
  const { finish: finishes = false, database } = values;
  if (what === 'database' ? finishes : database !== undefined)
    throw new UsageError(
      `Rotating the ${what} does not take --${finishes ? 'finish' : 'database'}.`,
    );
  const store = await readStore(name);
  await refuseUnfinishedRestore(store);
  const isDatabase = what === 'database';
  const steps = isDatabase
    ? databaseRotationSteps(store, values)
    : rotationSteps(store, what, finishes);
  const again = isDatabase
    ? withStrings(`npm run store -- rotate ${name} database`, values)
    : `npm run store -- deploy ${name}`;
  await performLocked(store, { title: `Rotating the ${what} of ${name}`, again }, steps, values);
}

/** Adds the options of a database, without its passwords: without them the command would ask Neon. */
function withStrings(again: string, given: Values): string {
  const named = (['database', 'database-direct'] as const).filter((option) => given[option]);
  return [again, ...named.map((option) => `--${option} URL`)].join(' ');
}

async function backup([name = '']: readonly string[], values: Values): Promise<void> {
  if (values.keep !== undefined && !/^[1-9]\d{0,3}$/.test(values.keep))
    throw new UsageError('--keep must be a number of backups, like 7.');
  const store = await readStore(name);
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  const task = { title: `Backing up ${name}`, again: `npm run store -- backup ${name}` };
  const check = {
    name: 'check',
    plan: 'checks the mark of the database',
    run: async () => {
      await refuseUnfinishedRestore(store);
      await checkDatabase(store, await readSecrets(store));
      return 'its own database';
    },
  };
  await performLocked(store, task, [check, ...backupSteps(store, keep)], values);
}

async function restore([name = '', folder = '']: readonly string[], values: Values): Promise<void> {
  if (values.drill) refuseOthers('store restore --drill', values, ['drill', 'dry-run']);
  const store = await readStore(name);
  const again = restoreCommand(name, folder);
  const drill = { title: `A drill for ${name}`, again: `${again} --drill` };
  await (values.drill
    ? performLocked(store, drill, drillSteps(store, folder), values)
    : performLocked(
        store,
        { title: `Restoring ${name}`, again: withStrings(again, values) },
        restoreSteps(store, folder, values),
        values,
      ));
}

/** Runs the steps while no other command works on the store, or only lists them. */
const performLocked = (
  { name }: NamedStore,
  task: Task,
  steps: readonly Step[],
  values: Values,
): Promise<void> =>
  values['dry-run']
    ? perform(task, steps, true)
    : withLock(name, () => perform(task, steps, false));

async function adopt([name = '']: readonly string[], values: Values): Promise<void> {
  const store = await readStore(name);
  await refuseUnfinishedRestore(store);
  const secrets = await readSecrets(store);
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const run = async () => {
    await withDatabase(url, (client) => markStore(client, claimOf(store, secrets), true));
    return `the database is that of ${store.address}`;
  };
  const task = { title: `Adopting ${name}`, again: `npm run store -- adopt ${name}` };
  await performLocked(
    store,
    task,
    [{ name: 'mark', plan: 'gives the database the address and the secrets of the store', run }],
    values,
  );
}

async function remove([name = '']: readonly string[], values: Values): Promise<void> {
  const store = await readStore(name);
  const isDry = values['dry-run'] === true || values.yes !== true;
  const left = await remains(store);
  const task = { title: `Removing ${name}`, again: `npm run store -- remove ${name} --yes` };
  if (isDry) await perform(task, removalSteps(store), true);
  else await withLock(name, () => perform(task, removalSteps(store), false));
  console.log(`\nWhat stays behind:\n${left}`);
  if (!values.yes) console.log(`\nTo do it: ${task.again}`);
}

/** @throws UsageError for an unknown command, and for options of another one */
function formOf({ words: [name = '', ...words], values }: Given): Form {
  const form = forms[name];
  if (!form) throw new UsageError(`There is no command ${name}.`);
  refuseOthers(`store ${name}`, values, ['dry-run', ...form.options]);
  const [least, most] = form.words;
  if (words.length < least) throw new UsageError(`\`store ${name}\` needs more words.`);
  if (words.length > most) throw new UsageError(`Unexpected argument '${words[most]}'.`);
  return form;
}

await command({ usage, options, words: ['COMMAND', '[WORD…]'] }, async (given) => {
  const form = formOf(given);
  return form.run(given.words.slice(1), given.values);
});
