import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { type Store, openStore } from '../harness/store.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { contents } from './contents.ts';
import { useMoves } from './moved.ts';
import { randomShop } from './sejoli/random.ts';
import { writeDump } from './shops.ts';
import { long } from '../harness/long.ts';

const { dumpPath } = useMoves();

const loading = fileURLToPath(new URL('loading.ts', import.meta.url));

const stores: Store[] = [];

afterAll(async () => {
  for (const store of stores) await store.close();
});

async function newStore(): Promise<Store> {
  const store = await openStore();
  stores.push(store);
  return store;
}

/** @param at the number of the commit that is not sent; 0 = all are sent */
function run(store: Store, path: string, folder: string, at: number): NodeJS.Signals | null {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [loading, store.databaseUrl, path, dumpPath(folder), String(at)],
    { encoding: 'utf8' },
  );
  if (signal === null) expect([status, stderr]).toEqual([0, '']);
  return signal;
}

long(
  'killed before any of its commits, an import continues and ends with the same rows',
  { timeout: 120_000 },
  async () => {
    const path = dumpPath('killed.sql');
    writeDump(path, randomShop(700));
    const calm = await newStore();
    expect(run(calm, path, 'calm', 0)).toBeNull();
    const store = await newStore();
    for (const at of [1, 3, 2, 2]) expect(run(store, path, 'killed', at)).toBe('SIGKILL');
    expect(run(store, path, 'killed', 0)).toBeNull();
    expect(await contents(store)).toEqual(await contents(calm));
    await expectIntegrity({ store });
  },
);
