import { mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { backupSteps, drillSteps } from '../../src/cli/store/backups.ts';
import { addSecrets, completeSecrets } from '../../src/cli/store/secrets.ts';
import { long } from '../harness/long.ts';
import { useStore } from '../harness/store.ts';
import { FakeCloudflare } from './vendors/cloudflare.ts';

const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR', pictures: true },
  address: 'https://api.shop.example',
};
const opened = useStore();
const cloudflare = new FakeCloudflare('');
let folder = '';

beforeAll(async () => {
  await cloudflare.open();
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
  vi.stubEnv('STORES_DIR', folder);
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', cloudflare.url);
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', '0123456789abcdef0123456789abcdef');
  const { databaseUrl, database } = opened.store;
  await completeSecrets(store);
  await addSecrets(store, { DATABASE_URL: databaseUrl, DATABASE_URL_DIRECT: databaseUrl });
  await database.query(
    `with person as (
       insert into users (display_name, created_at, updated_at) values ('', now(), now()) returning id)
     insert into media (key, user_id, purpose, type, width, height, size, created_at)
       select key, id, 'creative', 'image/png', 1, 1, 5, now()
         from person, unnest(array['a.png', 'b.png']) key`,
  );
  for (const name of ['a.png', 'b.png'])
    cloudflare.objects.set(`sales-api-roti-media/objects/${name}`, Buffer.from('image'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await cloudflare.close();
  await rm(folder, { recursive: true, force: true });
});

/** Takes a backup and keeps one. Returns the result of the last step. */
async function backUp() {
  let last = '';
  for (const { run } of backupSteps(store, 1)) last = await run();
  return last;
}

const backups = async () => (await readdir(join(folder, 'backups/roti'))).toSorted();

const noted = async () =>
  (await opened.store.database.query<{ backed_up_at: Date }>('select backed_up_at from store_mark'))
    .rows[0]?.backed_up_at;

long(
  'A backup that lacks pictures keeps what it has, but is not noted and replaces no older one',
  async () => {
    await backUp();
    const [first] = await backups();
    const before = await noted();
    await addSecrets(store, { BACKUP_KEY: Buffer.alloc(32, 7).toString('base64url') });
    cloudflare.onObject = (_, name) =>
      name.endsWith('b.png') ? { body: Buffer.from('ima') } : undefined;
    await expect(backUp()).rejects.toThrow(
      /lacks 1 pictures and files, so its moment is not noted, .*:\n {2}pictures\/b\.png: It differs/,
    );
    const [older, newer = ''] = await backups();
    expect([older, await noted()]).toEqual([first, before]);
    expect(await readdir(join(folder, 'backups/roti', newer, 'pictures'))).toEqual([
      'a.png.sealed',
    ]);
    cloudflare.onObject = () => undefined;
    await backUp();
    expect(await backups()).toHaveLength(1);
    expect(await noted()).not.toEqual(before);
  },
);

long(
  'The backup that an unfinished restore needs is not deleted until the restore ends',
  async () => {
    const [needed = ''] = await backups();
    const link = join(folder, 'link');
    await symlink(join(folder, 'backups/roti', needed), link);
    const note = join(folder, 'roti.restoring');
    const since = new Date(0).toISOString();
    await writeFile(note, JSON.stringify({ folder: link, since }));
    await backUp();
    const [, second = ''] = await backups();
    expect(await backUp()).toBe('1 deleted, 2 left, one of them for the unfinished restore');
    expect(await backups()).toEqual([needed, expect.not.stringMatching(second)]);
    await rm(note);
    expect(await backUp()).toBe('2 deleted, 1 left');
  },
);

long('A drill names all broken pictures, and fails without the folder of pictures', async () => {
  const [name = ''] = await backups();
  const kept = join(folder, 'backups/roti', name);
  const drill = () => drillSteps(store, kept)[0]?.run();
  for (const picture of ['a.png', 'b.png'])
    await truncate(join(kept, `pictures/${picture}.sealed`), 20);
  await expect(drill()).rejects.toThrow(
    '2 differ from what was uploaded, or have another BACKUP_KEY: pictures/a.png, pictures/b.png',
  );
  await rm(join(kept, 'pictures'), { recursive: true });
  await expect(drill()).rejects.toThrow('The backup has no pictures and files: 2 are not in the');
});
