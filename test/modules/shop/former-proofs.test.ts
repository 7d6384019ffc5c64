import { beforeAll, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, orderIdsOf, orderPath, report } from './buyer.ts';

const opened = useStoreFixture();
let slug: string;

beforeAll(async () => {
  ({ slug } = await opened.fixture.newProduct({ title: 'Course', price: 15_000 }));
});

const upgrade = () => runBackfills(opened.fixture.store.database);

/** Reports the payment of an order of the shop with a picture. */
async function reported(email: string): Promise<number> {
  const { store } = opened.fixture;
  await report(store, orderPath(await buy(store, slug, { email })));
  const [id = 0] = await orderIdsOf(store, email);
  return id;
}

async function lastProof(order_id: number) {
  const { body } = await opened.fixture.api.get(`/confirmations?order_id=${order_id}`);
  return body.data[0];
}

/** Changes the proofs of an order as the shop of version 0.1.0 stored them. */
const stateTotal = (order_id: number) =>
  opened.fixture.store.database.query(
    `update confirmations c set amount_matches = true, detail = c.detail || jsonb_build_object('total', o.grand_total)
       from orders o where o.id = c.order_id and o.id = $1`,
    [order_id],
  );

test('The upgrade takes the amount off a pending proof of the former shop, whose buyer stated none, once', async () => {
  const id = await reported('former-proof@people.example');
  const today = await lastProof(id);
  await stateTotal(id);
  expect(await lastProof(id)).toMatchObject({ detail: { total: 15_000 }, amount_matches: true });
  await upgrade();
  const now = await lastProof(id);
  expect(now).toEqual({ ...today, version: 2, updated_at: now.updated_at });
  await upgrade();
  expect(await lastProof(id)).toEqual(now);
  await expectIntegrity(opened.fixture);
});

test('The upgrade takes the amount off a proof that a former worker stored after the first run', async () => {
  await upgrade();
  const id = await reported('later-proof@people.example');
  await stateTotal(id);
  await upgrade();
  expect(await lastProof(id)).toMatchObject({ detail: { total: null }, amount_matches: false });
});

test('The upgrade leaves the amount of a reviewed proof, and one that was stated by API', async () => {
  const { api, store } = opened.fixture;
  const reviewed = await reported('reviewed-proof@people.example');
  await stateTotal(reviewed);
  const { id } = await lastProof(reviewed);
  await api.post(`/confirmations/${id}`, { status: 'rejected' });
  const stated = await reported('stated-proof@people.example');
  const { proof } = (await lastProof(stated)).detail;
  store.clock.advance(1);
  await api.post('/confirmations', { order_id: stated, proof, total: 15_000 });
  const kept = await Promise.all([reviewed, stated].map(lastProof));
  await upgrade();
  expect(await Promise.all([reviewed, stated].map(lastProof))).toEqual(kept);
  expect(kept.map(({ detail }) => detail.total)).toEqual([15_000, 15_000]);
});
