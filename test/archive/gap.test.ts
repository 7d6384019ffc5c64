import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { orderToken } from '../../src/actions/shop/secrets.ts';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { countUndone, endSessions, undoneText } from '../../src/cli/store/undone.ts';
import { leaveGap } from '../../src/cli/support/sequences.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { StoreFixture, useStoreFixture } from '../harness/store-fixture.ts';
import { Store, baseUrl } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

const opened = useStoreFixture();

// The database driver of this process is that of the store that opened last.
beforeEach(() => opened.fixture.store.restart());

/** The store as it was at a backup, in another database. */
async function restored(folder: string): Promise<StoreFixture> {
  const { url, client } = await emptyDatabase();
  await restoreArchive(url, folder, () => undefined, undefined);
  await leaveGap(client);
  await endSessions(client);
  const store = new Store(client, await startNeonEndpoint({ resolve: () => url }), url);
  Object.assign(await store.environment, await opened.fixture.store.environment);
  return StoreFixture.open(store);
}

test('The sessions and links of people and orders after a backup open nothing in the restored store', async () => {
  const { fixture } = opened;
  const parent = await mkdtemp(join(tmpdir(), 'gap-'));
  const folder = join(parent, 'backup');
  const product = await fixture.newProduct();
  await writeArchive(fixture.store.database, folder, () => undefined);
  const lost = await fixture.newUser();
  const { body } = await fixture.api.post('/sessions', { user_id: lost.id });
  const lostOrder = await fixture.newOrder({ product_id: product.id, user_id: lost.id });
  const again = await restored(folder);
  try {
    const other = await again.newUser();
    const order = await again.newOrder({ product_id: product.id, user_id: other.id });
    expect(other.id).toBeGreaterThan(lost.id);
    expect(order.id).toBeGreaterThan(lostOrder.id);
    const session = again.store.client({ authorization: `Bearer ${body.data.token}` });
    expect(await session.get('/me')).toMatchObject({ status: 401 });
    const { authority } = await fixture.store.services();
    const link = await orderToken(lostOrder.id, 0, authority);
    const page = await again.store.fetch(new Request(`${baseUrl}/order/${link}`));
    expect(page.status).toBe(404);
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});

test('A restore ends the sessions of before the backup, and counts what was revoked, blocked, erased and suppressed since', async () => {
  const { fixture } = opened;
  const { store, api } = fixture;
  const parent = await mkdtemp(join(tmpdir(), 'gap-'));
  const folder = join(parent, 'backup');
  const { id: kept } = await fixture.newUser();
  const { id: before } = await fixture.newUser();
  const { id: blocked } = await fixture.newUser();
  const { id: erased } = await fixture.newUser();
  const revoke = (id: number) =>
    store.database.query('update api_keys set revoked_at = now() where id = $1', [id]);
  const suppress = (address: string) =>
    store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at)
       values ('email', $1, 'unsubscribed', now())`,
      [address],
    );
  const keyBefore = await store.createKey();
  const keySince = await store.createKey();
  const { body } = await api.post('/sessions', { user_id: kept });
  await api.patch(`/users/${before}`, { status: 'blocked' });
  await revoke(keyBefore.id);
  await suppress('before@shop.example');
  await writeArchive(store.database, folder, () => undefined);
  await api.patch(`/users/${before}`, { display_name: 'Changed since' });
  await api.patch(`/users/${blocked}`, { status: 'blocked' });
  await api.delete(`/users/${erased}?force=true`);
  await revoke(keySince.id);
  await suppress('since@shop.example');
  const again = await restored(folder);
  try {
    const undone = await countUndone(store.database, again.store.database);
    expect(undone).toEqual({ keys: 1, blocked: 1, erased: 1, suppressed: 1 });
    expect(undoneText(undone)).toContain(
      'brought back 1 of the revoked API keys, 1 of the blocked',
    );
    const session = again.store.client({ authorization: `Bearer ${body.data.token}` });
    expect(await session.get('/me')).toMatchObject({
      status: 401,
      body: { message: 'This session has been revoked.' },
    });
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});
