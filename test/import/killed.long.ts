import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { expectIntegrity } from '../harness/integrity.ts';
import { type Store, openStore } from '../harness/store.ts';
import { Checkout } from '../local/checkout.ts';
import { importIn } from './command.ts';
import { contents } from './contents.ts';
import { randomShop } from './sejoli/random.ts';
import { writeDump } from './shops.ts';

/** The number of imports, and of kills before each may end. */
const imports = 4;
const killsEach = 5;

const stores: Store[] = [];
const checkouts: Checkout[] = [];

afterAll(async () => {
  for (const store of stores) await store.close();
  for (const checkout of checkouts) await checkout.remove();
});

async function somewhere() {
  const checkout = new Checkout();
  checkouts.push(checkout);
  const store = await openStore();
  stores.push(store);
  const path = join(checkout.folder, 'shop.sql.gz');
  writeDump(path, randomShop(3000));
  const start = () =>
    importIn(checkout, ['sejoli', path, '--write'], { DATABASE_URL: store.databaseUrl });
  return { checkout, store, start };
}

function reportOf(checkout: Checkout): string {
  const [folder = ''] = readdirSync(checkout.path('import'));
  return readFileSync(join(checkout.path('import'), folder, 'report.csv'), 'utf8');
}

test('npm run import, killed at any moments, ends in the same store and the same report', async () => {
  const calm = await somewhere();
  const began = performance.now();
  const { code, printed } = await calm.start().ended;
  const took = performance.now() - began;
  expect(code, printed).toBe(0);
  const expected = { rows: await contents(calm.store), report: reportOf(calm.checkout) };
  for (let round = 0; round < imports; round += 1) {
    const { checkout, store, start } = await somewhere();
    const moments: Record<string, number | string> = {};
    for (let kill = 1; kill <= killsEach; kill += 1) {
      // A continued run ends sooner, so the moment can be too late.
      const moment = Math.random() * took;
      const running = start();
      await Promise.race([wait(moment), running.ended]);
      running.kill();
      const { signal } = await running.ended;
      moments[`kill ${kill}`] = signal === 'SIGKILL' ? Math.round(moment) : 'done before';
    }
    console.table({ 'after ms': { ...moments, undisturbed: Math.round(took) } });
    const last = await start().ended;
    expect(last.code, last.printed).toBe(0);
    expect(reportOf(checkout)).toBe(expected.report);
    expect(await contents(store)).toEqual(expected.rows);
    await expectIntegrity({ store });
  }
});

test('A killed rehearsal leaves nothing behind once another one has run', async () => {
  const { checkout } = await somewhere();
  const rehearse = () => importIn(checkout, ['sejoli', join(checkout.folder, 'shop.sql.gz')]);
  const left = () => {
    const folder = checkout.path('rehearsals');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const killed = rehearse();
  await Promise.race([killed.ended, vi.waitUntil(() => left().length > 0, 60_000)]);
  killed.kill();
  await killed.ended;
  expect(left()).toHaveLength(1);
  const { code, printed } = await rehearse().ended;
  expect(code, printed).toBe(0);
  expect(left()).toEqual([]);
});
