import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { remains, removalSteps } from '../../src/cli/store/removing.ts';

const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.roti.example',
};

test('What remains of a removed store includes its databases before restores', () => {
  const since = '2026-11-26T02:00:00.000Z';
  const old = [
    { since, project: 'quiet-river-1', direct: 'postgresql://a:b@one.example/store' },
    { since, project: '', direct: 'postgresql://a:b@two.example/store' },
  ];
  const database = { DATABASE_URL_DIRECT: 'postgresql://a:b@three.example/store' };
  const OLD_DATABASES = JSON.stringify(old);
  const lines = remains(store, { ...database, OLD_DATABASES }).split('\n');
  expect(lines).toContain('  its database, with all its data: three.example');
  expect(lines).toContain('  its database before a restore: quiet-river-1');
  expect(lines).toContain('  its database before a restore: two.example');
  const atNeon = remains(store, { ...database, NEON_PROJECT_ID: 'quiet-river-2' });
  expect(atNeon).toContain('all its data: quiet-river-2, three.example\n');
  expect(atNeon).not.toContain('before a restore');
});

test('A removed store keeps its secrets and backups when another one of its name is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'removed-'));
  vi.stubEnv('STORES_DIR', folder);
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
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});
