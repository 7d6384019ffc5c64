import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backupsOf } from './backups.ts';
import { bucketName, workerName, writeConfiguration } from './configuration.ts';
import { placeOf } from './databases.ts';
import { type NamedStore, storeFile, storesFolder } from './definition.ts';
import { keptDatabases } from './old-databases.ts';
import { unfinishedDatabase } from './restoring.ts';
import { type StoreSecrets, readSecrets } from './secrets.ts';
import type { Step } from './steps.ts';
import { wrangler } from './wrangler.ts';

const removed = 'removed';

const keptFolder = () => join(storesFolder(), removed);

/** Removes a store, except its data and secrets. */
export function removalSteps(store: NamedStore): Step[] {
  return [
    { name: 'worker', plan: 'deletes the worker', run: () => deleteWorker(store) },
    {
      name: 'files',
      plan: 'puts the file, the secrets and the backups away',
      run: () => putAway(store),
    },
  ];
}

async function deleteWorker(store: NamedStore): Promise<string> {
  const config = await writeConfiguration(store, '');
  const name = workerName(store.name);
  try {
    await wrangler('delete', '--name', name, '--force', '--config', config);
    return `${name} is deleted`;
  } catch (error) {
    if (!/does not exist|not found|10007|10090/i.test((error as Error).message)) throw error;
    return `${name} was gone`;
  }
}

/** The file of the store is moved last: until then the command can be repeated. */
async function putAway({ name }: NamedStore): Promise<string> {
  await mkdir(keptFolder(), { recursive: true, mode: 0o700 });
  const [kept, moves] = freePlaces(name);
  for (const [from, to] of moves) if (existsSync(from)) await rename(from, to);
  return `as ${kept}, in ${keptFolder()} and ${dirname(backupsOf(name))}`;
}

/** Numbers the removed stores of a name: none replaces the secrets or the backups of another. */
function freePlaces(name: string): [kept: string, moves: (readonly [string, string])[]] {
  for (let number = 1; ; number++) {
    const kept = `${name}.${number}`;
    const files = ['uploaded', 'restoring', 'secrets', 'toml'].map(
      (ending) => [storeFile(name, ending), join(keptFolder(), `${kept}.${ending}`)] as const,
    );
    const moves = [[backupsOf(name), backupsOf(kept)] as const, ...files];
    if (!moves.some((paths) => paths.every(existsSync))) return [kept, moves];
  }
}

/**
 * Lists the remains of a removed store, and who deletes them. Reads the store's files before they are put away, or where
 * an interrupted removal has put them.
 */
export async function remains(store: NamedStore): Promise<string> {
  const { name, pictures } = store;
  const away = join(removed, freePlaces(name)[0]);
  const secrets = {
    ...(await readSecrets({ ...store, name: away })),
    ...(await readSecrets(store)),
  };
  const current = currentDatabase(store, secrets);
  const unfinished =
    (await unfinishedDatabase(store, name)) ?? (await unfinishedDatabase(store, away));
  return [
    `  its database, with all its data: ${current}`,
    ...(unfinished === undefined || unfinished === current
      ? []
      : [`  the database of an unfinished restore, with the data of the backup: ${unfinished}`]),
    ...keptDatabases(store, secrets).map((kept) => `  its database before a restore: ${kept}`),
    ...(pictures
      ? [`  its pictures and files: npx wrangler r2 bucket delete ${bucketName(name)}`]
      : []),
    `  its file and its secrets, in ${keptFolder()}: no backup of it can be used without them`,
    `  its backups, in ${dirname(backupsOf(name))}`,
    '  webhooks at payment providers and senders, which were told its address',
  ].join('\n');
}

/** An interruption of `add` may have come after the project was made and before its strings were stored. */
const currentDatabase = ({ name }: NamedStore, secrets: StoreSecrets): string => {
  const { DATABASE_URL_DIRECT: direct, NEON_PROJECT_ID: project } = secrets;
  return direct
    ? placeOf({ project, direct })
    : `the project ${project || workerName(name)} at Neon, if it was made`;
};
