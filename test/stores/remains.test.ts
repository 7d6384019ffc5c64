import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remains, removalSteps } from '../../src/cli/store/removing.ts';
import { spentDatabases } from '../../src/cli/store/old-databases.ts';

const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.roti.example',
};

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'removed-'));
  vi.stubEnv('STORES_DIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const since = '2026-11-26T02:00:00.000Z';
const DATABASE_URL_DIRECT = 'postgresql://a:b@three.example/store';

/** Writes the secrets of the store, and returns what remains of it. */
async function remainsWith(secrets: Record<string, string>) {
  await writeFile(join(folder, 'roti.secrets'), JSON.stringify(secrets));
  return (await remains(store)).split('\n');
}

test('What remains of a removed store includes its databases before restores', async () => {
  const old = [
    { since, project: 'quiet-river-1', direct: 'postgresql://a:b@one.example/store' },
    { since, project: '', direct: 'postgresql://a:b@two.example/store' },
  ];
  const OLD_DATABASES = JSON.stringify(old);
  const lines = await remainsWith({ DATABASE_URL_DIRECT, OLD_DATABASES });
  expect(lines).toContain('  its database, with all its data: three.example/store');
  expect(lines).toContain('  its database before a restore: quiet-river-1, one.example/store');
  expect(lines).toContain('  its database before a restore: two.example/store');
  const atNeon = await remainsWith({ DATABASE_URL_DIRECT, NEON_PROJECT_ID: 'quiet-river-2' });
  expect(atNeon[0]).toMatch(/all its data: quiet-river-2, three\.example\/store$/);
  expect(atNeon.join()).not.toContain('before a restore');
});

test('A store that went back to a previous database never lists it as one to delete', async () => {
  const direct = 'postgresql://a:former@three.example/store';
  const other = { since, project: '', direct: 'postgresql://a:b@two.example/store' };
  const secrets = {
    DATABASE_URL_DIRECT,
    OLD_DATABASES: JSON.stringify([{ since, project: 'quiet-river-3', direct }, other]),
  };
  expect((await remainsWith(secrets)).filter((line) => line.includes('database'))).toEqual([
    '  its database, with all its data: three.example/store',
    '  its database before a restore: two.example/store',
  ]);
  expect(spentDatabases(store, secrets, new Date('2027-01-26T02:00:00.000Z'))).toEqual([
    'the database before the restore of 2026-11-26 can be deleted: two.example/store; then take it out of OLD_DATABASES',
  ]);
});

test('What remains of a removed store includes the database of an unfinished restore', async () => {
  const begun = { folder: 'backup', since };
  const restoring = async (more: object) => {
    await writeFile(join(folder, 'roti.restoring'), JSON.stringify({ ...begun, ...more }));
    return (await remainsWith({ DATABASE_URL_DIRECT })).join('\n');
  };
  const direct = 'postgresql://a:b@four.example/store';
  const line = '  the database of an unfinished restore, with the data of the backup: ';
  expect(
    await restoring({ database: { pooled: direct, direct, project: 'quiet-river-4' } }),
  ).toContain(`\n${line}quiet-river-4, four.example/store\n`);
  expect(await restoring({})).toContain(
    `\n${line}the project sales-api-roti-20261126020000 at Neon, if it was made\n`,
  );
  const database = { pooled: DATABASE_URL_DIRECT, direct: DATABASE_URL_DIRECT };
  expect(await restoring({ database })).not.toContain(line);
});

test('What remains of a store whose creation was interrupted includes the project that it may have', async () => {
  expect(await remainsWith({})).toContain(
    '  its database, with all its data: the project sales-api-roti at Neon, if it was made',
  );
});

test('A list of previous databases in the form of docs/backups.md is read', async () => {
  const text = await readFile(resolve(import.meta.dirname, '../../docs/backups.md'), 'utf8');
  const [, documented = ''] = /("OLD_DATABASES": .*)/.exec(text) ?? [];
  const secrets = JSON.parse(`{${documented.replace('…', 'a:b@one.example/store')}}`);
  const lines = await remainsWith({ DATABASE_URL_DIRECT, ...secrets });
  expect(lines).toContain('  its database before a restore: quiet-river-1, one.example/store');
});

test('A store whose list of previous databases is malformed is not removed', async () => {
  for (const OLD_DATABASES of ['[', '{}', `[{"since":"${since}","project":"","direct":"x"}]`])
    await expect(remainsWith({ DATABASE_URL_DIRECT, OLD_DATABASES })).rejects.toThrow(
      'OLD_DATABASES among the secrets of roti is not the JSON that a restore writes.',
    );
});

test('A removal that was killed between two files goes on, and lists the same remains', async () => {
  const direct = 'postgresql://a:b@four.example/store';
  const restoring = { folder: 'backup', since, database: { pooled: direct, direct } };
  await writeFile(join(folder, 'roti.toml'), '');
  await writeFile(join(folder, 'roti.restoring'), JSON.stringify(restoring));
  const OLD_DATABASES = JSON.stringify([
    { since, project: '', direct: 'postgresql://a:b@two.example/store' },
  ]);
  const lines = await remainsWith({ DATABASE_URL_DIRECT, OLD_DATABASES });
  await mkdir(join(folder, 'removed'));
  for (const kind of ['restoring', 'secrets']) {
    await rename(join(folder, `roti.${kind}`), join(folder, `removed/roti.1.${kind}`));
    expect((await remains(store)).split('\n')).toEqual(lines);
  }
  await removalSteps(store)
    .find(({ name }) => name === 'files')
    ?.run();
  expect((await readdir(join(folder, 'removed'))).toSorted()).toEqual([
    ...['roti.1.restoring', 'roti.1.secrets', 'roti.1.toml'],
  ]);
});

test('A removed store keeps its secrets and backups when another one of its name is removed', async () => {
  const removal = removalSteps(store).find(({ name }) => name === 'files');
  for (const which of ['first', 'second']) {
    await mkdir(join(folder, 'backups/roti'), { recursive: true });
    for (const path of ['roti.toml', 'roti.secrets', 'backups/roti/manifest.json'])
      await writeFile(join(folder, path), which);
    await removal?.run();
  }
  const kept = (path: string) => readFile(join(folder, path), 'utf8');
  expect(await kept('removed/roti.1.secrets')).toBe('first');
  expect(await kept('backups/roti.1/manifest.json')).toBe('first');
  expect(await kept('removed/roti.2.secrets')).toBe('second');
  expect(await kept('removed/roti.2.toml')).toBe('second');
  expect(await kept('backups/roti.2/manifest.json')).toBe('second');
  await expect(kept('roti.toml')).rejects.toThrow('ENOENT');
});
