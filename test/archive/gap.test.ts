import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orderToken } from '../../src/actions/shop/secrets.ts';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { leaveGap } from '../../src/cli/support/sequences.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { StoreFixture, useStoreFixture } from '../harness/store-fixture.ts';
import { Store, baseUrl } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

const opened = useStoreFixture();

/** The store as it was at a backup, in another database. */
async function restored(folder: string): Promise<StoreFixture> {
  const { url, client } = await emptyDatabase();
  await restoreArchive(url, folder, () => undefined, undefined);
  await leaveGap(client);
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
