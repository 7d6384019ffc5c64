import { expect, test } from 'vitest';
import { runJobs } from '../../src/jobs/index.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

test('Forms of the shop whose link nobody opened are removed after eight days, and those with an order stay', async () => {
  const { fixture } = opened;
  const { database, clock } = fixture.store;
  const { id: product_id } = await fixture.newProduct();
  const order = await fixture.newOrder({ product_id });
  const at = clock.now().toISOString();
  await database.query(
    `insert into purchase_forms (key, order_id, name, email, phone, network, created_at)
     values ('waits', null, '', '', '', '', $1), ('made', $2, '', '', '', '', $1)`,
    [at, order.id],
  );
  const left = async () => {
    await runJobs(await fixture.store.services(), () => undefined);
    const { rows } = await database.query<{ key: string }>('select key from purchase_forms');
    return rows.map(({ key }) => key).sort();
  };
  clock.advance(7 * 86_400);
  expect(await left()).toEqual(['made', 'waits']);
  clock.advance(2 * 86_400);
  expect(await left()).toEqual(['made']);
});
