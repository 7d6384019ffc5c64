import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from 'pg';
import { findWritten, readTables } from '../archive/catalogue.ts';
import { TableFiles } from '../archive/files.ts';
import { type Manifest, hashOfFields, readManifest } from '../archive/manifest.ts';
import { endArchive, holdsArchive } from '../archive/read.ts';
import { restoreArchive } from '../archive/restore.ts';
import { refuseLater } from '../migrations/migrate.ts';
import { withDatabase } from '../support/database.ts';
import { leaveGap } from '../support/sequences.ts';
import { markReplaced, readMark, refuseReplaced } from '../support/store-mark.ts';
import { Refused } from '../support/command.ts';
import { hasObjects, ownRowsOf } from './backups.ts';
import { workerName } from './configuration.ts';
import {
  type GivenDatabase,
  areOneDatabase,
  areSameStrings,
  databaseSecrets,
  givenStrings,
  openNewDatabase,
  placeOf,
} from './databases.ts';
import type { NamedStore } from './definition.ts';
import { StoreDeployment } from './deploying.ts';
import { findObjects, restoreObjects } from './objects.ts';
import { daysKept, leftDatabases, oldDatabases, previousDatabases } from './old-databases.ts';
import { type Restoring, keepRestore, readRestore, restoreFile } from './restore-note.ts';
import { type StoreSecrets, addSecrets, readSecrets, secretOf } from './secrets.ts';
import type { Step } from './steps.ts';
import { differencesText, endSessions, findDifferences } from './undone.ts';
import { keepLostTransfers } from './transfers.ts';
import { stopWaiting, stoppedRefundLines } from './waiting.ts';

interface Wanted extends GivenDatabase {
  /** The address of the store that the backup is of, if a person names it. */
  readonly of?: string | undefined;
}

export function restoreSteps(store: NamedStore, folder: string, given: Wanted): Step[] {
  return [
    {
      name: 'backup',
      plan: 'checks the backup, file by file',
      run: () => check(store, folder, given.of),
    },
    {
      name: 'database',
      plan: 'makes a new project at Neon, or takes the strings that are given',
      run: () => openDatabase(store, folder, given),
    },
    {
      name: 'read',
      plan: 'reads the backup, and brings it up to date',
      run: () => read(store, folder),
    },
    {
      name: 'secrets',
      plan: 'sets the new database for the store, and notes the previous one',
      run: () => change(store, folder),
    },
    ...new StoreDeployment(store).steps([
      {
        name: 'waiting',
        plan: 'stops what waited or fell due since the backup, and keeps the transfers and amounts of lost orders',
        run: () => stopWaitingWork(store, folder),
      },
    ]),
    {
      name: 'previous',
      plan: 'marks the previous database as left, so that no copy of the secrets is deployed onto it',
      run: () => leavePrevious(store, folder),
    },
    {
      name: 'sessions',
      plan: 'ends the sessions again, also those that the previous worker gave out until now',
      run: () => endSessionsAgain(store, folder),
    },
    {
      name: 'transfers',
      plan: 'keeps transfers and amounts again, for orders that the previous worker took meanwhile',
      run: () => keepLost(store, folder),
    },
    ...(store.pictures && hasObjects(folder)
      ? [
          {
            name: 'objects',
            plan: 'puts the pictures and files into the bucket that it lacks',
            run: () => putObjects(store, folder),
          },
        ]
      : []),
    { name: 'done', plan: 'ends the restore', run: () => finish(store, folder) },
  ];
}

/**
 * @throws Refused for a plain archive of a store that encrypts its backups, unless the person names the store: anybody
 *   who can write to the folder could have made it
 */
function refusePlain(
  { address }: NamedStore,
  { sealed }: Manifest,
  { BACKUP_KEY }: StoreSecrets,
  of: string | undefined,
): void {
  if (sealed || of || !BACKUP_KEY) return;
  throw new Refused(
    `The backup is not encrypted, and those of the store are. If you exported it yourself, add --of ${address}.`,
  );
}

/** @throws Refused if the restore of another backup is unfinished */
async function begun(store: NamedStore, folder: string): Promise<Restoring> {
  const restoring = await readRestore(store.name);
  const hash = async () => hashOfFields(await readManifest(folder));
  if (!restoring)
    return { folder: resolve(folder), backup: await hash(), since: new Date().toISOString() };
  const isOther = resolve(restoring.folder) !== resolve(folder);
  const { backup } = restoring;
  if (!isOther && (backup === undefined || backup === (await hash()))) return restoring;
  const reason = isOther
    ? `The restore of ${restoring.folder} is not at its end. Go on with that`
    : `The backup in ${folder} was changed since its restore began. Put the former one back`;
  throw new Refused(
    `${reason}, or delete ${restoreFile(store)}. Its database then stays: ${madeDatabase(store, restoring)}.`,
  );
}

/** Names the database of a restore. Without a note of it, an interruption may have come after the project was made. */
const madeDatabase = (store: NamedStore, restoring: Restoring): string =>
  restoring.database
    ? placeOf(restoring.database)
    : `the project ${projectName(store, restoring)} at Neon, if it was made`;

const projectName = ({ name }: NamedStore, { since }: Restoring) =>
  `${workerName(name)}-${since.slice(0, 19).replaceAll(/\D/g, '')}`;

/** Names the database of an unfinished restore of a store, whose files may have another name. */
export async function unfinishedDatabase(
  store: NamedStore,
  name: string,
): Promise<string | undefined> {
  const restoring = await readRestore(name);
  return restoring && madeDatabase(store, restoring);
}

async function check(store: NamedStore, folder: string, of: string | undefined): Promise<string> {
  await begun(store, folder);
  const manifest = await readManifest(folder);
  const { exported_at, tables, schema } = manifest;
  refuseLater(schema);
  const secrets = await readSecrets(store);
  const accepted = (await readRestore(store.name))?.backup;
  if (accepted === undefined) {
    refuseOthersBackup(store, manifest, of);
    refusePlain(store, manifest, secrets, of);
  }
  oldDatabases(store, secrets);
  await refuseFormerCopy(secrets);
  const files = new TableFiles(folder, manifest, secrets['BACKUP_KEY']);
  for (const [table, { sha256 }] of Object.entries(tables))
    if ((await files.hashOf(table)) !== sha256)
      throw new Refused(`${table} differs from the export. Take another backup.`);
  return `of ${exported_at}, ${ownRowsOf(manifest)}`;
}

/** @throws Refused for another store's backup, unless the person names that store */
function refuseOthersBackup({ name, address }: NamedStore, backup: Manifest, of?: string): void {
  const given = of && (URL.parse(of)?.origin ?? of);
  if (backup.store !== undefined) {
    if (backup.store === (given || address)) return;
    throw new Refused(
      `The backup is of the store ${backup.store}, not of ${given || address}. If ${name} had this address before, or is to have the data of that store, add --of ${backup.store} ("Another store's backup" in docs/backups.md).`,
    );
  }
  // Nobody else has BACKUP_KEY: a backup that it opens is the store's own.
  if (given || backup.sealed) return;
  throw new Refused(
    `The backup does not say which store it is of. If it is of ${name}, add --of ${address}; otherwise add the address of its store, and ${name} gets the data of that store ("Another store's backup" in docs/backups.md).`,
  );
}

/** @throws Refused if the secrets are a copy from before another restore. The database may be down. */
async function refuseFormerCopy({ DATABASE_URL_DIRECT: url }: StoreSecrets): Promise<void> {
  const mark = url && (await withDatabase(url, readMark).catch(() => undefined));
  if (mark) refuseReplaced(mark);
}

async function openDatabase(
  store: NamedStore,
  folder: string,
  given: GivenDatabase,
): Promise<string> {
  const restoring = await begun(store, folder);
  const strings = givenStrings(given);
  if (restoring.database) {
    if (strings && !areSameStrings(strings, restoring.database))
      throw new Refused(
        `The restore began with another database: ${madeDatabase(store, restoring)}. Go on with it, without --database; or delete ${restoreFile(store)} to begin again with yours, and the other database stays as it is.`,
      );
    return 'as it was';
  }
  if (strings)
    await refuseFilled(strings.direct, folder, 'database in --database', 'Give an empty one.');
  // Stored before the project is created, so that a repeat finds the project by this name.
  else await keepRestore(store, restoring);
  const found = await openNewDatabase(projectName(store, restoring), store, given);
  const { pooled, direct, project } = found;
  await keepRestore(store, {
    ...restoring,
    database: { pooled, direct, ...(project && { project }) },
  });
  return found.says;
}

/**
 * @param name the name of the database in errors
 * @throws Refused if the database has other data than that of the backup, before it is migrated
 */
async function refuseFilled(url: string, folder: string, name: string, todo: string) {
  const manifest = await readManifest(folder);
  const written = await withDatabase(
    url,
    async (client) =>
      (await holdsArchive(client, manifest))
        ? undefined
        : findWritten(client, await readTables(client)),
    name,
  );
  if (written !== undefined) throw new Refused(`The ${name} is not empty (${written}). ${todo}`);
}

async function databaseOf(store: NamedStore, folder: string) {
  const { database } = await begun(store, folder);
  if (!database) throw new Error('The restore has no database yet.');
  return database;
}

async function read(store: NamedStore, folder: string): Promise<string> {
  const restoring = await begun(store, folder);
  const { direct } = await databaseOf(store, folder);
  if (restoring.isRead) {
    // An interruption may have come before.
    await withDatabase(direct, endArchive);
    return 'was read before';
  }
  const todo = `Delete ${restoreFile(store)}, and begin again with an empty database.`;
  await refuseFilled(direct, folder, `database in ${restoreFile(store)}`, todo);
  const { BACKUP_KEY } = await readSecrets(store);
  const { manifest, wasRead } = await restoreArchive(direct, folder, () => undefined, BACKUP_KEY);
  await withDatabase(direct, async (client) => {
    await leaveGap(client);
    await endSessions(client);
    const readAt = new Date().toISOString();
    await keepRestore(store, { ...restoring, isRead: true, readAt });
    await endArchive(client);
  });
  return wasRead ? 'was read before' : `${ownRowsOf(manifest)}, as exported`;
}

/**
 * Sets the new database for the next deployment, and records the previous one, which may be down. Since an interruption
 * the store may have got other strings of the new one.
 */
async function change(store: NamedStore, folder: string): Promise<string> {
  const restoring = await begun(store, folder);
  const database = await databaseOf(store, folder);
  const { direct } = database;
  const secrets = await readSecrets(store);
  const isSet = async (name: string) => {
    const url = secretOf(store, secrets, name);
    return (
      url === direct ||
      areOneDatabase(
        { url: direct, name: `database in ${restoreFile(store)}` },
        { url, name: 'previous database' },
      ).catch(() => false)
    );
  };
  const isDirectSet = await isSet('DATABASE_URL_DIRECT');
  const more = isDirectSet
    ? {
        ...(!(await isSet('DATABASE_URL')) && { DATABASE_URL: database.pooled }),
        ...missingList(store, restoring, secrets),
      }
    : newSecrets(store, database, secrets);
  if (Object.keys(more).length === 0) return 'as they were';
  // A person who sets the secrets reads them there.
  await keepRestore(store, { ...restoring, secrets: { ...restoring.secrets, ...more } });
  await addSecrets(store, more).catch((error: Error) => {
    const Kind = error instanceof Refused ? Refused : Error;
    throw new Kind(`${error.message} The values are in ${restoreFile(store)}, under "secrets".`, {
      cause: error,
    });
  });
  return isDirectSet
    ? 'the new database in DATABASE_URL, too'
    : 'the new database; the previous one is kept under OLD_DATABASES';
}

/** Returns the strings of the new database, and the list with the previous one. */
function newSecrets(
  store: NamedStore,
  database: NonNullable<Restoring['database']>,
  secrets: StoreSecrets,
): StoreSecrets {
  const previous = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const since = new Date().toISOString();
  const old = { since, project: secrets['NEON_PROJECT_ID'] ?? '', direct: previous };
  return {
    ...databaseSecrets({ project: undefined, ...database }),
    OLD_DATABASES: JSON.stringify([...leftDatabases(store, secrets), old]),
  };
}

/** Returns the noted list of previous databases, if the secrets lack one of them. */
function missingList(
  store: NamedStore,
  { secrets: noted = {} }: Restoring,
  secrets: StoreSecrets,
): StoreSecrets {
  const kept = oldDatabases(store, secrets).map(({ direct }) => direct);
  const areKept = oldDatabases(store, noted).every(({ direct }) => kept.includes(direct));
  return areKept ? {} : { OLD_DATABASES: noted['OLD_DATABASES'] ?? '' };
}

/** The last step before the worker uses the database: until then the previous one sends what falls due. */
async function stopWaitingWork(store: NamedStore, folder: string): Promise<string> {
  const { isLive, readAt = new Date().toISOString() } = await begun(store, folder);
  if (isLive) return 'was done before';
  const { direct } = await databaseOf(store, folder);
  await withDatabase(direct, (restored) => stopWaiting(restored, readAt));
  const kept = await keepLost(store, folder);
  return `waiting refunds, messages, notices and due reminders are stopped; ${kept}`;
}

/** Marks each kept database that answers: the restore goes on without the others. */
async function leavePrevious(store: NamedStore, folder: string): Promise<string> {
  await keepRestore(store, { ...(await begun(store, folder)), isLive: true });
  const { direct: url } = await databaseOf(store, folder);
  const current = await withDatabase(url, readMark);
  const kept = leftDatabases(store, await readSecrets(store));
  const [marked, unmarked]: [string[], string[]] = [[], []];
  for (const { direct } of kept) {
    const place = placeOf({ direct });
    const mark = (client: Client) => markReplaced(client, store.address, current?.store_id ?? '');
    await withDatabase(direct, mark).then(
      (isMarked) =>
        isMarked ? marked.push(place) : unmarked.push(`${place}: It has no mark of the store.`),
      (error: Error) => unmarked.push(`${place}: ${error.message}`),
    );
  }
  const says = `commands and former workers are refused at ${marked.join(', ') || 'none'}`;
  if (unmarked.length === 0) return says;
  const title =
    'Not marked. A copy of the secrets from before the restore can deploy the store back onto it, so delete such copies:';
  return [says, title, ...unmarked.map((line) => `  ${line}`)].join('\n');
}

/** The previous worker gave out sessions until the deployment, and noted those that it ended in the previous database. */
async function endSessionsAgain(store: NamedStore, folder: string): Promise<string> {
  await withDatabase((await databaseOf(store, folder)).direct, endSessions);
  return 'everybody has to sign in again';
}

async function keepLost(store: NamedStore, folder: string): Promise<string> {
  const { direct } = await databaseOf(store, folder);
  const { exported_at } = await readManifest(folder);
  const previous = previousDatabases(store, await readSecrets(store), exported_at);
  return keepLostTransfers(previous, direct, exported_at);
}

async function putObjects(store: NamedStore, folder: string): Promise<string> {
  const secrets = await readSecrets(store);
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const key = secretOf(store, secrets, 'BACKUP_KEY');
  return restoreObjects(await withDatabase(url, findObjects), store, folder, key);
}

async function finish(store: NamedStore, folder: string): Promise<string> {
  const { direct } = await databaseOf(store, folder);
  const { exported_at } = await readManifest(folder);
  const previous = previousDatabases(store, await readSecrets(store), exported_at);
  const lines = await withDatabase(direct, async (restored) => [
    ...(await stoppedRefundLines(restored)),
    differencesText(await findDifferences(previous, restored, exported_at)),
  ]);
  await rm(restoreFile(store), { force: true });
  return [`the backup is restored; keep the previous database for ${daysKept} days`, ...lines].join(
    '\n',
  );
}
