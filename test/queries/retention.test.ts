import { expect, test } from 'vitest';
import { runJobs } from '../../src/jobs/index.ts';
import { useShop } from '../harness/shop.ts';

const opened = useShop();

test('Forms of the shop whose link nobody opened are removed after eight days, and those with an order stay', async () => {
  const { shop } = opened;
  const { database, clock } = shop.store;
  const { id: product_id } = await shop.newProduct();
  const order = await shop.newOrder({ product_id });
  const at = clock.now().toISOString();
  await database.query(
    `insert into purchase_forms (key, order_id, name, email, phone, network, created_at)
     values ('waits', null, '', '', '', '', $1), ('made', $2, '', '', '', '', $1)`,
    [at, order.id],
  );
  const left = async () => {
    await runJobs(await shop.store.services(), () => undefined);
    const { rows } = await database.query<{ key: string }>('select key from purchase_forms');
    return rows.map(({ key }) => key).sort();
  };
  clock.advance(7 * 86_400);
  expect(await left()).toEqual(['made', 'waits']);
  clock.advance(2 * 86_400);
  expect(await left()).toEqual(['made']);
});
