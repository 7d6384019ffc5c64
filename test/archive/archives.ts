import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  type Manifest,
  manifestPath,
  manifestText,
  readManifest,
} from '../../src/cli/archive/manifest.ts';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { endSessions } from '../../src/cli/store/undone.ts';
import { leaveGap } from '../../src/cli/support/sequences.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { StoreFixture, useStoreFixture } from '../harness/store-fixture.ts';
import { Store, openStore } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

export const nobody = () => {};

/** A store to export, folders for its archives, and empty stores to read them into. */
export function useArchives() {
  const opened = useStoreFixture();
  const stores: Store[] = [];
  let parent = '';
  let folders = 0;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'archive-test-'));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await rm(parent, { recursive: true });
  });
  const newFolder = () => join(parent, String(++folders));
  return {
    get fixture() {
      return opened.fixture;
    },
    newFolder,
    exported: async () => {
      const folder = newFolder();
      await writeArchive(opened.fixture.store.database, folder, nobody);
      return folder;
    },
    emptyStore: async () => {
      const store = await openStore('new');
      stores.push(store);
      return store;
    },
  };
}

/** Opens another store with a backup of `fixture`, as a restore leaves it. */
export async function openRestoredStore(
  folder: string,
  fixture: StoreFixture,
): Promise<StoreFixture> {
  const { url, client } = await emptyDatabase();
  await restoreArchive(url, folder, nobody, undefined);
  await leaveGap(client);
  await endSessions(client);
  const store = new Store(client, await startNeonEndpoint({ resolve: () => url }), url);
  Object.assign(await store.environment, await fixture.store.environment);
  return StoreFixture.open(store);
}

export async function changeManifest(
  folder: string,
  change: (manifest: Manifest) => void,
): Promise<void> {
  const manifest = await readManifest(folder);
  change(manifest);
  await writeFile(manifestPath(folder), manifestText(manifest));
}

/**
 * Fills a store with an upline tree, partly refunded orders, a paused subscription, and texts with special characters.
 */
export async function fill({
  api,
  newAffiliate,
  newOrder,
  newProduct,
  newUser,
}: StoreFixture): Promise<void> {
  const last = await newAffiliate();
  const first = await newAffiliate({
    display_name: '"\\\n\u2028 \u{1F600}, {}\t',
    affiliate_id: last.id,
  });
  const webhook = { name: 'All', url: 'https://all.example/hook', events: ['order.*'] };
  await api.post('/webhooks', { ...webhook, status: 'paused' });
  const product = await newProduct({
    title: "L'été — ¼ \\u0041 \u2029",
    affiliate: { enabled: true, tiers: [{ tier: 1, type: 'percentage', fee: 10 }] },
  });
  const buyer = await newUser({ affiliate_id: first.id });
  for (const _ of [1, 2, 3]) {
    const order = await newOrder({ product_id: product.id, user_id: buyer.id });
    await api.patch(`/orders/${order.id}`, { status: 'completed' });
    await api.post(`/orders/${order.id}/refunds`, { amount: 100, reason: 'Late' });
  }
  await newOrder({ product_id: product.id, user_id: buyer.id });
  const regular = { duration: 1, period: 'monthly', price: 50_000 };
  const terms = { payment_type: 'recurring', subscription: { active: true, regular } };
  const club = await newProduct(terms);
  await newOrder({ product_id: club.id, user_id: buyer.id, status: 'completed' });
  const { body } = await api.get('/subscriptions');
  expect((await api.post(`/subscriptions/${body.data[0].id}/pause`, {})).status).toBe(200);
}

/** The statements of docs/backups.md for a branch. */
export const branchStatements = () => statements('-- Ends all sessions');

/** The statement of docs/backups.md that prints statements about amounts. */
export const amountStatement = () => statements('-- Prints statements that reserve the amounts');

/** The statement of docs/backups.md that prints statements about bank transfers. */
export const transferStatement = () => statements('-- Prints statements that keep bank transfers');

async function statements(begin: string): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../docs/backups.md'), 'utf8');
  return (
    text
      .split('```sql\n')
      .find((block) => block.startsWith(begin))
      ?.split('```')[0] ?? ''
  );
}
