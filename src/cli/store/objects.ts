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
 * @throws Error of the first failure, once the others have finished
 */
async function withEach(
  objects: readonly StoredObject[],
  work: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const waiting = objects.values();
  const lanes = Array.from({ length: atOnce }, async () => {
    for (const object of waiting) await work(object);
  });
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * Copies the objects of a store into a folder, encrypted. An object of the previous backup is linked, since objects
 * never change. Objects that an interrupted run copied are kept. What the key does not open is fetched again.
 * @param before the folder of the previous backup
 */
export async function saveObjects(
  objects: readonly StoredObject[],
  store: NamedStore,
  folder: string,
  { key, before }: { readonly key: string; readonly before: string | undefined },
): Promise<string> {
  const bucket = await R2Bucket.open(bucketName(store.name));
  const seal = new Seal(key);
  const fitting = objects.filter(({ size }) => size <= largestObject);
  let [fetched, lost] = [0, 0];
  await withEach(fitting, async (object) => {
    const target = sealedPath(folder, object);
    if (await isOpenable(seal, folder, object)) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { force: true });
    if (before !== undefined && (await isOpenable(seal, before, object)))
      return link(sealedPath(before, object), target);
    const content = await bucket.get(object.key, object.size);
    if (!content) return void lost++;
    await writeWhole(target, seal.close(object.path, content));
    fetched++;
  });
  const large = objects.length - fitting.length;
  return [
    `${fitting.length - lost} pictures and files, ${fetched} of them new`,
    ...(lost > 0 ? [`${lost} are not in the bucket`] : []),
    ...(large > 0 ? [`${large} are larger than 300 MiB and are not copied`] : []),
  ].join('; ');
}

/** Writes a file that appears only once it is complete. */
async function writeWhole(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${path}.part`;
  await using file = await open(draft, 'w', 0o600);
  for await (const chunk of chunks) await file.appendFile(chunk);
  await file.sync();
  await rename(draft, path);
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

/** @throws Error if the content differs from the uploaded object */
async function check(content: AsyncIterable<Buffer>, object: StoredObject): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of content) {
    hash.update(part);
    size += part.length;
  }
  const isSame = object.sha256 === null || hash.digest('hex') === object.sha256;
  if (size !== object.size || !isSame)
    throw new Error(`${object.path} differs from what was uploaded.`);
}

async function isOpenable(seal: Seal, folder: string, object: StoredObject): Promise<boolean> {
  const content = openObject(seal, folder, object);
  if (!content) return false;
  return check(content, object).then(
    () => true,
    () => false,
  );
}

/**
 * Opens every object of a backup.
 * @throws Error if one differs from the uploaded one
 */
export async function checkObjects(
  objects: readonly StoredObject[],
  folder: string,
  key: string,
): Promise<string> {
  const seal = new Seal(key);
  let lost = 0;
  await withEach(objects, async (object) => {
    const content = openObject(seal, folder, object);
    if (content) await check(content, object);
    else lost++;
  });
  return countOf(objects.length, lost);
}

const countOf = (all: number, lost: number) =>
  `${all - lost} pictures and files${lost > 0 ? `; ${lost} are not in the backup` : ''}`;

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
  let lost = 0;
  const broken: string[] = [];
  await withEach(missing, async (object) => {
    if (!existsSync(sealedPath(folder, object))) return void lost++;
    // Read once before, because an object is verified only at its end and an upload can't be undone.
    if (!(await isOpenable(seal, folder, object))) return void broken.push(object.path);
    await bucket.put(
      object.key,
      object.type,
      object.size,
      () => openObject(seal, folder, object) ?? [],
    );
  });
  return [
    `${missing.length - lost - broken.length} uploaded to ${bucketName(store.name)}, ${objects.length - missing.length} were already there`,
    ...(lost > 0 ? [`${lost} are neither there nor in the backup`] : []),
    ...(broken.length > 0
      ? [`${broken.length} could not be read: ${broken.toSorted().join(', ')}`]
      : []),
  ].join('; ');
}
