import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from 'pg';
import { Seal } from '../archive/seal.ts';
import { R2Bucket, largestObject } from './bucket.ts';
import { bucketName } from './configuration.ts';
import type { NamedStore } from './definition.ts';

/** A picture, or a file that buyers download. */
export interface StoredObject {
  readonly key: string;
  /** Its path in a backup. */
  readonly path: string;
  readonly type: string;
  readonly size: number;
  /** Null for a picture. */
  readonly sha256: string | null;
}

const atOnce = 4;

export const objectFolders = ['pictures', 'files'] as const;

const sealedPath = (folder: string, { path }: StoredObject) => join(folder, `${path}.sealed`);

export async function findObjects(client: Client): Promise<StoredObject[]> {
  const { rows } = await client.query<StoredObject>(
    `select key, 'pictures/' || key as path, type, size::float8 as size, null as sha256
       from media where deleted_at is null
      union all
     select key, key, type, size::float8, sha256
       from files where deleted_at is null and status = 'ready'
      order by path`,
  );
  return rows;
}

/**
 * Processes each object, several at once.
 * @returns those that failed, each with the reason
 */
async function withEach(
  objects: readonly StoredObject[],
  work: (object: StoredObject) => Promise<void>,
): Promise<string[]> {
  const waiting = objects.values();
  const failed: string[] = [];
  const lanes = Array.from({ length: atOnce }, async () => {
    for (const object of waiting)
      await work(object).catch(({ message }: Error) => failed.push(`${object.path}: ${message}`));
  });
  await Promise.all(lanes);
  return failed.toSorted();
}

/** Counts and names objects; empty for none. */
const named = (paths: readonly string[], says: string): string[] =>
  paths.length > 0 ? [`${paths.length} ${says}: ${paths.toSorted().join(', ')}`] : [];

interface SavedObjects {
  readonly says: string;
  /** The objects that could not be copied, each with the reason. */
  readonly failed: readonly string[];
}

/**
 * Copies the objects of a store into a folder, encrypted. An object of the previous backup is linked, since objects
 * never change. Objects that an interrupted run copied are kept. What the key does not open is fetched again. An object
 * that is not whole is not kept.
 * @param before the folder of the previous backup
 */
export async function saveObjects(
  objects: readonly StoredObject[],
  store: NamedStore,
  folder: string,
  { key, before }: { readonly key: string; readonly before: string | undefined },
): Promise<SavedObjects> {
  const bucket = await R2Bucket.open(bucketName(store.name));
  const seal = new Seal(key);
  const fitting = objects.filter(({ size }) => size <= largestObject);
  const lost: string[] = [];
  let fetched = 0;
  const failed = await withEach(fitting, async (object) => {
    const target = sealedPath(folder, object);
    if (await isOpenable(seal, folder, object)) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { force: true });
    if (before !== undefined && (await isOpenable(seal, before, object)))
      return link(sealedPath(before, object), target);
    const content = await bucket.get(object.key, object.size);
    if (!content) return void lost.push(object.path);
    await writeWhole(target, seal.close(object.path, checked(content, object)));
    fetched++;
  });
  const large = objects.length - fitting.length;
  const says = [
    `${fitting.length - lost.length - failed.length} pictures and files, ${fetched} of them new`,
    ...named(lost, 'are not in the bucket'),
    ...(large > 0 ? [`${large} are larger than 300 MiB and are not copied`] : []),
    ...(failed.length > 0 ? [`${failed.length} could not be copied`] : []),
  ].join('; ');
  return { says, failed };
}

/** Writes a file that appears only once it is complete. */
async function writeWhole(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${path}.part`;
  try {
    await using file = await open(draft, 'w', 0o600);
    for await (const chunk of chunks) await file.appendFile(chunk);
    await file.sync();
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Undefined if the backup lacks the object. */
function openObject(
  seal: Seal,
  folder: string,
  object: StoredObject,
): AsyncIterable<Buffer> | undefined {
  const path = sealedPath(folder, object);
  if (!existsSync(path)) return undefined;
  return seal.open(object.path, createReadStream(path) as AsyncIterable<Buffer>);
}

/** @throws Error at the end if the content differs from the uploaded object */
async function* checked(
  content: AsyncIterable<Buffer>,
  object: StoredObject,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of content) {
    hash.update(part);
    size += part.length;
    yield part;
  }
  const isSame = object.sha256 === null || hash.digest('hex') === object.sha256;
  if (size !== object.size || !isSame) throw new Error('It differs from what was uploaded.');
}

async function isOpenable(seal: Seal, folder: string, object: StoredObject): Promise<boolean> {
  const content = openObject(seal, folder, object);
  if (!content) return false;
  try {
    for await (const part of checked(content, object)) void part;
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens every object of a backup.
 * @throws Error naming those that differ from the uploaded ones, or if the backup has none of the store's objects
 */
export async function checkObjects(
  objects: readonly StoredObject[],
  folder: string,
  key: string,
): Promise<string> {
  const isThere = (object: StoredObject) => existsSync(sealedPath(folder, object));
  const there = objects.filter(isThere);
  const lost = objects.filter((object) => !isThere(object));
  const missing = named(
    lost.map(({ path }) => path),
    'are not in the backup',
  );
  if (there.length === 0 && lost.some(({ size }) => size <= largestObject))
    throw new Error(`The backup has no pictures and files: ${missing.join()}`);
  const broken: string[] = [];
  if (there.length > 0) {
    const seal = new Seal(key);
    await withEach(there, async (object) => {
      if (!(await isOpenable(seal, folder, object))) broken.push(object.path);
    });
  }
  const [reason] = named(broken, 'differ from what was uploaded, or have another BACKUP_KEY');
  if (reason !== undefined) throw new Error(reason);
  return [`${there.length} pictures and files`, ...missing].join('; ');
}

/** Uploads the objects of a backup into the bucket, except existing ones. Names those that are not whole. */
export async function restoreObjects(
  objects: readonly StoredObject[],
  store: NamedStore,
  folder: string,
  key: string,
): Promise<string> {
  const bucket = await R2Bucket.open(bucketName(store.name));
  const there = await bucket.sizes();
  const missing = objects.filter((object) => there.get(object.key) !== object.size);
  const seal = new Seal(key);
  const lost: string[] = [];
  const broken: string[] = [];
  const failed = await withEach(missing, async (object) => {
    if (!existsSync(sealedPath(folder, object))) return void lost.push(object.path);
    // Read once before, because an object is verified only at its end and an upload can't be undone.
    if (!(await isOpenable(seal, folder, object))) return void broken.push(object.path);
    await bucket.put(
      object.key,
      object.type,
      object.size,
      () => openObject(seal, folder, object) ?? [],
    );
  });
  if (failed.length > 0)
    throw new Error(`${failed.length} could not be uploaded:\n  ${failed.join('\n  ')}`);
  return [
    `${missing.length - lost.length - broken.length} uploaded to ${bucketName(store.name)}, ${objects.length - missing.length} were already there`,
    ...named(lost, 'are neither there nor in the backup'),
    ...named(broken, 'could not be read'),
  ].join('; ');
}
