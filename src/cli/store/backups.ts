import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { leftOutText } from '../archive/catalogue.ts';
import { type Manifest, readManifest, tablesIn } from '../archive/manifest.ts';
import { restoreArchive } from '../archive/restore.ts';
import { newSealKey } from '../archive/seal.ts';
import { writeArchive } from '../archive/write.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { withTarget } from '../support/rehearsal.ts';
import { noteBackup } from '../support/store-mark.ts';
import { type NamedStore, storesFolder } from './definition.ts';
import { checkObjects, findObjects, objectFolders, saveObjects } from './objects.ts';
import { readRestore } from './restore-note.ts';
import { addSecrets, readSecrets, secretOf } from './secrets.ts';
import type { Step } from './steps.ts';

const nobody = () => undefined;

/** The folder of a store's backups. Each backup is a folder named by the start of its snapshot. */
export const backupsOf = (name: string) => join(storesFolder(), 'backups', name);

/** The folder of an unfinished backup; the next backup deletes it. */
const draftOf = (name: string) => join(backupsOf(name), 'unfinished');

/** The folder of an unfinished backup's objects. The next backup continues with it. */
const objectsOf = (name: string) => join(backupsOf(name), 'unfinished-objects');

/**
 * Exports a store into a folder, encrypted.
 * @param keep the number of backups to keep; all of them if undefined
 */
export function backupSteps(store: NamedStore, keep: number | undefined): Step[] {
  const failed: string[] = [];
  return [
    { name: 'key', plan: 'makes a BACKUP_KEY unless there is one', run: () => backupKey(store) },
    { name: 'rows', plan: 'writes every table, encrypted', run: () => saveRows(store) },
    ...(store.pictures
      ? [
          {
            name: 'objects',
            plan: 'fetches the pictures and files that the backup before lacks',
            run: () => saveOwnObjects(store, failed),
          },
        ]
      : []),
    {
      name: 'backup',
      plan: 'gives the folder its name, and notes the moment',
      run: () => finish(store, failed),
    },
    ...(keep === undefined
      ? []
      : [
          {
            name: 'older',
            plan: 'deletes older backups, except that of an unfinished restore',
            run: () => deleteOlder(store.name, keep),
          },
        ]),
  ];
}

async function backupKey(store: NamedStore): Promise<string> {
  const { BACKUP_KEY } = await readSecrets(store);
  if (BACKUP_KEY) return 'as it was';
  if (store.secrets_command !== undefined)
    throw new Refused(
      `The secrets_command of ${store.name} prints no BACKUP_KEY. Add one: openssl rand -base64 32 | tr +/ -_ | tr -d =`,
    );
  await addSecrets(store, { BACKUP_KEY: newSealKey() });
  return 'a new BACKUP_KEY among the secrets: no backup can be read without it';
}

async function saveRows(store: NamedStore): Promise<string> {
  const secrets = await readSecrets(store);
  await mkdir(backupsOf(store.name), { recursive: true, mode: 0o700 });
  await rm(draftOf(store.name), { recursive: true, force: true });
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const key = secretOf(store, secrets, 'BACKUP_KEY');
  const { tables, leftOut } = await withDatabase(url, (client) =>
    writeArchive(client, draftOf(store.name), nobody, key),
  );
  return rowsOf(tables, leftOut);
}

async function saveOwnObjects(store: NamedStore, failed: string[]): Promise<string> {
  const secrets = await readSecrets(store);
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const last = (await backupNames(store.name)).at(-1);
  const objects = await withDatabase(url, findObjects);
  const saved = await saveObjects(objects, store, objectsOf(store.name), {
    key: secretOf(store, secrets, 'BACKUP_KEY'),
    before: last && join(backupsOf(store.name), last),
  });
  failed.push(...saved.failed);
  return saved.says;
}

/** @throws Error if objects could not be copied: the store then counts as backed up before */
async function finish(store: NamedStore, failed: readonly string[]): Promise<string> {
  const url = secretOf(store, await readSecrets(store), 'DATABASE_URL_DIRECT');
  const { exported_at } = await readManifest(draftOf(store.name));
  const kept = join(backupsOf(store.name), exported_at.replaceAll(':', '-'));
  for (const one of objectFolders.filter((one) => existsSync(join(objectsOf(store.name), one))))
    await rename(join(objectsOf(store.name), one), join(draftOf(store.name), one));
  await rm(objectsOf(store.name), { recursive: true, force: true });
  await rename(draftOf(store.name), kept);
  if (failed.length > 0)
    throw new Error(
      `${kept} lacks ${failed.length} pictures and files, so its moment is not noted, and no older backup is deleted:\n  ${failed.join('\n  ')}`,
    );
  await withDatabase(url, (client) => noteBackup(client, exported_at));
  return kept;
}

/** Names of complete backups, oldest first. */
async function backupNames(name: string): Promise<string[]> {
  return (await readdir(backupsOf(name))).filter((one) => /^\d{4}-/.test(one)).toSorted();
}

/** Deletes all but the newest backups, and that of an unfinished restore. */
async function deleteOlder(name: string, keep: number): Promise<string> {
  const all = await backupNames(name);
  const restoring = await readRestore(name);
  const needed = restoring && (await placeOf(restoring.folder));
  const deleted: string[] = [];
  for (const one of all.slice(0, Math.max(0, all.length - keep))) {
    const folder = join(backupsOf(name), one);
    if ((await placeOf(folder)) === needed) continue;
    await rm(folder, { recursive: true, force: true });
    deleted.push(one);
  }
  const left = all.filter((one) => !deleted.includes(one));
  const reason = left.length > keep ? ', one of them for the unfinished restore' : '';
  return `${deleted.length} deleted, ${left.length} left${reason}`;
}

const placeOf = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));

/** Says how many rows and tables an archive has, and which tables of others were left out. */
function rowsOf(
  tables: Readonly<Record<string, { rows: number }>>,
  leftOut: readonly string[],
): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const says = `${rows} rows of ${Object.keys(tables).length} tables`;
  return leftOut.length === 0 ? says : `${says}. ${leftOutText(leftOut)}`;
}

/** Says how many rows and tables of an archive are the store's. */
export function ownRowsOf(manifest: Manifest): string {
  const { own, leftOut } = tablesIn(manifest);
  return rowsOf(own, leftOut);
}

/** Reads a backup into a temporary PostgreSQL. */
export function drillSteps(store: NamedStore, folder: string): Step[] {
  return [
    {
      name: 'drill',
      plan: 'reads the backup into a temporary PostgreSQL, and compares',
      run: () => drill(store, folder),
    },
  ];
}

/** @throws Error with the table or the objects that differ from the export */
async function drill(store: NamedStore, folder: string): Promise<string> {
  const { BACKUP_KEY: key } = await readSecrets(store);
  return withTarget(false, async (url) => {
    const { manifest } = await restoreArchive(url, folder, nobody, key);
    const objects = await withDatabase(url, findObjects);
    const found =
      store.pictures || hasObjects(folder)
        ? `, ${await checkObjects(objects, folder, key ?? '')}`
        : '';
    return `${ownRowsOf(manifest)}${found}, 0 differences`;
  });
}

export const hasObjects = (folder: string): boolean =>
  objectFolders.some((one) => existsSync(join(folder, one)));
