import { createReadStream, existsSync } from 'node:fs';
import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { Seal } from '../archive/seal.ts';
import { R2Bucket } from './bucket.ts';
import { bucketName } from './configuration.ts';
import type { NamedStore } from './definition.ts';

interface Picture {
  readonly key: string;
  readonly type: string;
  readonly size: number;
}

/** The number of pictures transferred at once. */
const atOnce = 4;

const nameOf = (key: string) => `pictures/${key}.sealed`;

async function findPictures(client: Client): Promise<Picture[]> {
  const { rows } = await client.query<Picture>(
    'select key, type, size from media where deleted_at is null order by key',
  );
  return rows;
}

/** Processes each picture, several at once. */
async function withEach(
  pictures: readonly Picture[],
  work: (picture: Picture) => Promise<void>,
): Promise<void> {
  const waiting = pictures.values();
  const lanes = Array.from({ length: atOnce }, async () => {
    for (const picture of waiting) await work(picture);
  });
  await Promise.all(lanes);
}

/**
 * Copies the pictures of a store into a backup. Pictures of the previous backup are linked: they never change.
 * @param before the folder of the previous backup
 */
export async function savePictures(
  client: Client,
  store: NamedStore,
  folder: string,
  { key: sealKey, before }: { readonly key: string; readonly before: string | undefined },
): Promise<string> {
  const pictures = await findPictures(client);
  const seal = new Seal(sealKey);
  const bucket = await R2Bucket.open(bucketName(store.name));
  await mkdir(join(folder, 'pictures'), { recursive: true, mode: 0o700 });
  let [fetched, lost] = [0, 0];
  await withEach(pictures, async ({ key }) => {
    const name = nameOf(key);
    if (before !== undefined && existsSync(join(before, name)))
      return link(join(before, name), join(folder, name));
    const bytes = await bucket.get(key);
    if (!bytes) return void lost++;
    await writeFile(join(folder, name), seal.close(name, bytes), { mode: 0o600 });
    fetched++;
  });
  return `${pictures.length - lost} pictures, ${fetched} of them new${lostOf(lost)}`;
}

const lostOf = (lost: number) => (lost > 0 ? `; ${lost} are not in the bucket` : '');

/** Opens a picture of a backup; undefined if the backup has none with this key. */
async function openPicture(seal: Seal, folder: string, key: string): Promise<Buffer | undefined> {
  const name = nameOf(key);
  if (!existsSync(join(folder, name))) return undefined;
  const chunks = createReadStream(join(folder, name)) as AsyncIterable<Buffer>;
  const bytes: Buffer[] = [];
  for await (const part of seal.open(name, chunks)) bytes.push(part);
  return Buffer.concat(bytes);
}

/** Opens every picture of a backup. @throws Error for a picture of another length than in the store */
export async function checkPictures(client: Client, folder: string, key: string): Promise<string> {
  const pictures = await findPictures(client);
  const seal = new Seal(key);
  let lost = 0;
  await withEach(pictures, async (picture) => {
    const bytes = await openPicture(seal, folder, picture.key);
    if (!bytes) lost++;
    else if (bytes.length !== picture.size)
      throw new Error(`The picture ${picture.key} is not as it was uploaded.`);
  });
  return `${pictures.length - lost} pictures${lost > 0 ? `; ${lost} are not in the backup` : ''}`;
}

export async function restorePictures(
  client: Client,
  store: NamedStore,
  folder: string,
  key: string,
): Promise<string> {
  const pictures = await findPictures(client);
  const seal = new Seal(key);
  const bucket = await R2Bucket.open(bucketName(store.name));
  let lost = 0;
  await withEach(pictures, async (picture) => {
    const bytes = await openPicture(seal, folder, picture.key);
    if (!bytes) return void lost++;
    await bucket.put(picture.key, bytes, picture.type);
  });
  return `${pictures.length - lost} pictures in ${bucketName(store.name)}${lost > 0 ? `; ${lost} are not in the backup` : ''}`;
}
