import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { long } from '../harness/long.ts';
import { newSealKey } from '../../src/cli/archive/seal.ts';
import {
  type StoredObject,
  checkObjects,
  findObjects,
  restoreObjects,
  saveObjects,
} from '../../src/cli/store/objects.ts';
import { useFiles } from '../operations/files/stage.ts';
import { FakeCloudflare } from './vendors/cloudflare.ts';

const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};
const bucket = 'sales-api-roti-media/objects';
const book = Buffer.alloc(3_000_000, 'A book of many bytes. ');

const objectOf = (key: string, size: number, content?: Buffer): StoredObject => ({
  ...{ key, size, path: content ? key : `pictures/${key}`, type: 'application/pdf' },
  sha256: content ? createHash('sha256').update(content).digest('hex') : null,
});

const picture = objectOf('a.png', 5);
const file = objectOf('files/book', book.length, book);
const lost = objectOf('lost.png', 5);
const film = objectOf('files/film', 400_000_000, Buffer.from('a film'));

const cloudflare = new FakeCloudflare('');
const key = newSealKey();
let folder = '';
let asked: string[] = [];

beforeAll(async () => {
  await cloudflare.open();
  folder = await mkdtemp(join(tmpdir(), 'objects-'));
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', cloudflare.url);
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', '0123456789abcdef0123456789abcdef');
  cloudflare.objects.set(`${bucket}/a.png`, Buffer.from('image'));
  cloudflare.objects.set(`${bucket}/files/book`, book);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await cloudflare.close();
  await rm(folder, { recursive: true, force: true });
});

const { fixture, newFile } = useFiles();

test('The objects of a store are its pictures and its ready files', async () => {
  const [ready, pending, gone] = [await newFile(), await newFile(), await newFile()];
  const { database } = fixture().store;
  await database.query("update files set status = 'uploading' where id = $1", [pending.id]);
  await database.query('update files set deleted_at = now() where id = $1', [gone.id]);
  await database.query(
    `insert into media (key, user_id, purpose, type, width, height, size, created_at, deleted_at)
       select key, $1::bigint, 'creative', 'image/png', 1, 1, 5, now(), deleted_at
         from (values ('a.png', null), ('gone.png', now())) as list (key, deleted_at)`,
    [(await fixture().newUser()).id],
  );
  expect(await findObjects(database)).toEqual([
    {
      ...{ key: expect.stringMatching(/^files\/\w{32}$/), path: expect.stringMatching(/^files\//) },
      ...{ type: 'text/plain', size: 7, sha256: ready.sha256 },
    },
    { key: 'a.png', path: 'pictures/a.png', type: 'image/png', size: 5, sha256: null },
  ]);
});

/** Plans one other answer of Cloudflare about an object. */
function answerOnce(name: string, status: number): void {
  let isDone = false;
  cloudflare.onObject = (method, object) => {
    asked.push(`${method} ${object}`);
    if (isDone || !object.endsWith(name)) return undefined;
    isDone = true;
    return { status, body: {}, headers: { 'retry-after': '0' } };
  };
}

test('A backup of objects continues where it stopped, even if Cloudflare asks to come back later', async () => {
  const all = [film, file, picture, lost];
  answerOnce('files/book', 500);
  const save = () => saveObjects(all, store, join(folder, 'one'), { key, before: undefined });
  expect((await save()).failed).toEqual([
    'files/book: Cloudflare answered 500 about objects/files/book.',
  ]);
  asked = [];
  answerOnce('files/book', 429);
  expect(await save()).toEqual({
    says: '2 pictures and files, 1 of them new; 1 are not in the bucket: pictures/lost.png; 1 are larger than 300 MiB and are not copied',
    failed: [],
  });
  expect(asked.filter((each) => each.includes('files/')).length).toBe(2);
  expect(asked.filter((each) => each.includes('a.png'))).toEqual([]);
  const sealed = join(folder, 'one/files/book.sealed');
  expect((await stat(sealed)).mode & 0o077).toBe(0);
  expect((await readFile(sealed)).includes('A book')).toBe(false);
});

test('A backup copies all objects but those that cannot be fetched whole, and names them', async () => {
  const names = ['1', '2', '3', '4', '5', '6'].map((name) => `part-${name}.png`);
  for (const name of names) cloudflare.objects.set(`${bucket}/${name}`, Buffer.from('image'));
  cloudflare.onObject = (_, object) => {
    if (object.endsWith('part-1.png')) return { body: Buffer.from('ima') };
    return /part-[2-5]/.test(object) ? { status: 500, body: {} } : undefined;
  };
  const [all, target] = [names.map((name) => objectOf(name, 5)), join(folder, 'parts')];
  const save = () => saveObjects(all, store, target, { key, before: undefined });
  const { says, failed } = await save();
  expect(says).toBe('1 pictures and files, 1 of them new; 5 could not be copied');
  expect(failed).toEqual([
    'pictures/part-1.png: It differs from what was uploaded.',
    ...['2', '3', '4', '5'].map(
      (n) => `pictures/part-${n}.png: Cloudflare answered 500 about objects/part-${n}.png.`,
    ),
  ]);
  expect(await readdir(join(target, 'pictures'))).toEqual(['part-6.png.sealed']);
  cloudflare.onObject = () => undefined;
  expect(await save()).toEqual({ says: '6 pictures and files, 5 of them new', failed: [] });
});

test('The next backup links the objects of the one before', async () => {
  asked = [];
  const before = join(folder, 'one');
  const saved = await saveObjects([file, picture], store, join(folder, 'two'), { key, before });
  expect(saved).toEqual({ says: '2 pictures and files, 0 of them new', failed: [] });
  expect(asked).toEqual([]);
  const inodes = ['one', 'two'].map((one) => stat(join(folder, one, 'files/book.sealed')));
  const [one, two] = await Promise.all(inodes);
  expect(two?.ino).toBe(one?.ino);
});

test('A backup with a new key fetches again what the new key does not open', async () => {
  const [before, last] = [join(folder, 'two'), join(folder, 'three')];
  const all = [file, picture];
  const renewed = newSealKey();
  await saveObjects(all, store, last, { key, before });
  expect((await saveObjects(all, store, last, { key: renewed, before })).says).toBe(
    '2 pictures and files, 2 of them new',
  );
  expect(await checkObjects(all, last, renewed)).toBe('2 pictures and files');
  expect(await checkObjects(all, before, key)).toBe('2 pictures and files');
});

test('A drill opens every object, and names all that are missing or differ from the uploaded ones', async () => {
  const copy = join(folder, 'two');
  expect(await checkObjects([file, picture, lost], copy, key)).toBe(
    '2 pictures and files; 1 are not in the backup: pictures/lost.png',
  );
  const other = { ...file, sha256: objectOf('', 0, Buffer.from('x')).sha256 };
  await expect(checkObjects([other, { ...picture, size: 4 }], copy, key)).rejects.toThrow(
    '2 differ from what was uploaded, or have another BACKUP_KEY: files/book, pictures/a.png',
  );
});

test('A drill fails for a backup with none of the objects of its store, unless all are too large', async () => {
  const copy = join(folder, 'none');
  await expect(checkObjects([film, picture, lost], copy, '')).rejects.toThrow(
    'no pictures and files: 3 are not in the backup: files/film, pictures/a.png, pictures/lost.png',
  );
  expect(await checkObjects([film], copy, '')).toContain('1 are not in the backup: files/film');
  expect(await checkObjects([], copy, '')).toBe('0 pictures and files');
});

long(
  'Restoring puts the objects that the bucket lacks there, and none that was changed',
  async () => {
    cloudflare.objectsAPage = 1;
    cloudflare.objects.set(`${bucket}/other.png`, Buffer.from('other'));
    cloudflare.objects.delete(`${bucket}/files/book`);
    answerOnce('files/book', 429);
    const restore = () => restoreObjects([file, lost, picture], store, join(folder, 'two'), key);
    expect(await restore()).toBe(
      '1 uploaded to sales-api-roti-media, 1 were already there; 1 are neither there nor in the backup: pictures/lost.png',
    );
    expect(cloudflare.objects.get(`${bucket}/files/book`)?.equals(book)).toBe(true);
    cloudflare.objects.delete(`${bucket}/files/book`);
    const sealed = join(folder, 'two/files/book.sealed');
    const bytes = await readFile(sealed);
    bytes.writeUInt8(bytes.readUInt8(2_000_000) ^ 1, 2_000_000);
    await writeFile(sealed, bytes);
    expect(await restore()).toContain('; 1 could not be read: files/book');
    expect(cloudflare.objects.has(`${bucket}/files/book`)).toBe(false);
  },
);

test('Cut objects of a backup keep no whole one out of the bucket, and are named', async () => {
  const names = ['1', '2', '3', '4', '5', '6'].map((name) => `cut-${name}.png`);
  const [all, copy] = [names.map((name) => objectOf(name, 5)), join(folder, 'cut')];
  for (const name of names) cloudflare.objects.set(`${bucket}/${name}`, Buffer.from('image'));
  await saveObjects(all, store, copy, { key, before: undefined });
  for (const name of names) cloudflare.objects.delete(`${bucket}/${name}`);
  for (const name of names.slice(0, 4)) await truncate(join(copy, `pictures/${name}.sealed`), 20);
  expect(await restoreObjects(all, store, copy, key)).toMatch(
    /^2 uploaded to .*; 4 could not be read: pictures\/cut-1\.png, .*cut-4\.png$/,
  );
  const whole = names.filter((name) => cloudflare.objects.has(`${bucket}/${name}`));
  expect(whole).toEqual(names.slice(4));
});
