import { Client } from 'pg';
import { expect, test } from 'vitest';
import { load } from '../../packages/import/src/load.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { behindLock } from '../races/queue.ts';
import { useMoves } from './moved.ts';
import { shopTables, writeDump } from './shops.ts';

const { moved, dumpPath } = useMoves();

test('an import that is repeated while an order uses a coupon counts the use', async () => {
  writeDump(dumpPath('shop.sql'), shopTables(sejoliImporter.source, {}));
  const answers = { timezone: 'UTC', currency: 'USD' };
  const { store, staging } = await moved(sejoliImporter, dumpPath('shop.sql'), answers);
  const { api, newProduct, newUser } = await StoreFixture.open(store);
  const { id: product_id } = await newProduct();
  const coupon = { code: 'ONCE', limit_use: 1, discount: { type: 'fixed', value: 100 } };
  expect(await api.post('/coupons', coupon)).toMatchObject({ status: 201 });
  const place = async () => {
    const { id: user_id } = await newUser();
    const { status } = await api.post('/orders', { product_id, user_id, coupon_code: 'ONCE' });
    return status;
  };
  const repeat = async () => {
    const client = new Client({ connectionString: store.databaseUrl });
    await client.connect();
    await load(client, sejoliImporter, staging, sejoliImporter.plan(staging, answers));
    await client.end();
    return 'imported';
  };
  const lock = 'lock table coupon_redemptions in share mode';
  expect(await behindLock<unknown>(store, lock, [place, repeat], { inTurn: true })).toEqual([
    201,
    'imported',
  ]);
  expect(await place()).toBe(409);
});
