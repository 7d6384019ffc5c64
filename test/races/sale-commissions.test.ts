import { Client } from 'pg';
import { beforeAll, expect } from 'vitest';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import { long } from '../harness/long.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { behindLock } from './queue.ts';

const stage = useAffiliateStore();
let product: Product;

beforeAll(async () => {
  product = await stage.at.newCourse();
});

/** An unpaid order, and its commission for a new affiliate. */
async function unpaid() {
  const { at } = stage;
  const { id } = await at.fixture.newAffiliate();
  const order = await at.sell(product, { affiliate_id: id });
  const [commission] = await at.ledger(order);
  if (!commission) throw new Error('The order pays a commission.');
  return { affiliate: id, order, commission };
}

long(
  'if an order is paid while its commission is changed, the summary has the new commission',
  async () => {
    const { at } = stage;
    const { store } = at.fixture;
    for (let round = 0; round < 5; round++) {
      const { affiliate, order, commission } = await unpaid();
      const callers = [
        () => at.fixture.api.patch(`/orders/${order.id}`, { status: 'in-progress' }),
        () => at.adjust(commission, { commission: 700 + round, reason: 'Agreed.' }),
      ];
      const lock = `select from orders where id = ${order.id} for update`;
      const replies = await behindLock(store, lock, round % 2 ? callers : callers.toReversed());
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const { body } = await (await store.session(affiliate)).get('/me/home-summary');
      expect(body.data.all).toMatchObject({ sales: 1, commission: 700 + round });
    }
    await expectIntegrity(at.fixture);
  },
);

long('control: a changed commission is lost without a lock on its order', async () => {
  const { database, databaseUrl } = stage.at.fixture.store;
  const { order, commission } = await unpaid();
  const hasty = new Client({ connectionString: databaseUrl });
  await hasty.connect();
  await hasty.query('begin');
  await hasty.query(`update commissions set commission = 1 where id = ${commission.id}`);
  await database.query(`update orders set status = 'in-progress' where id = ${order.id}`);
  await hasty.query('commit');
  await hasty.end();
  const found = await checkIntegrity(database);
  const { differences } = found.find(({ name }) => name === 'commissions of sales') ?? {};
  expect(differences).toBeGreaterThan(0);
});
