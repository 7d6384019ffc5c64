import type { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { expectIntegrity } from '../harness/integrity.ts';
import type { ApiClient } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStoreFixture();
let session: ApiClient;
let product_id: number;
let lock: string;

beforeAll(async () => {
  const { fixture } = opened;
  ({ session } = await fixture.newAdministrator());
  ({ id: product_id } = await fixture.newProduct());
  lock = `select from products where id = ${product_id} for update`;
});

const change = (currency: string) => () => session.patch('/me/settings', { currency });

test('a product that is created while the currency changes has the new currency', async () => {
  const { fixture } = opened;
  const create = () => fixture.api.post('/products', { title: 'Later', price: 100 });
  const calls = [change('KWD'), create];
  const replies = await behindLock(fixture.store, lock, calls, { inTurn: true });
  expect(replies.map(({ status }) => status)).toEqual([200, 201]);
  expect((await fixture.product(replies[1]?.body.data.id)).currency).toBe('KWD');
});

test('the first order that is placed while the currency changes has the new currency', async () => {
  const { fixture } = opened;
  const { id: user_id } = await fixture.newUser();
  const place = () => fixture.api.post('/orders', { product_id, user_id });
  const calls = [place, change('JPY')];
  const replies = await behindLock(fixture.store, lock, calls, { inTurn: true });
  expect(replies.map(({ status }) => status)).toEqual([201, 200]);
  expect((await fixture.order(replies[0]?.body.data.id)).currency).toBe('JPY');
  expect(await change('USD')()).toMatchObject({ status: 409, body: { code: 'setting_locked' } });
  await expectIntegrity(fixture);
});

test('control: placing an order without checking the currency again keeps the former one', async () => {
  const { store } = opened.fixture;
  const { database } = store;
  await database.query(
    `create table gate (id int); insert into gate values (1);
     create table store (currency text); insert into store values ('USD');
     create table sold (currency text)`,
  );
  const place = transaction(store, async (client: Client) => {
    const { rows } = await client.query('select currency from store');
    await client.query('select from gate for share');
    await client.query('insert into sold values ($1)', [rows[0].currency]);
    return true;
  });
  const changed = transaction(store, async (client: Client) => {
    await client.query('lock table sold in share mode');
    const { rowCount } = await client.query('select from sold');
    await client.query(`update store set currency = 'JPY'`);
    await client.query('select from gate for share');
    return rowCount === 0;
  });
  await behindLock(store, 'select from gate for update', [place, changed], { inTurn: true });
  const { rows } = await database.query(
    'select s.currency as now, o.currency from store s, sold o',
  );
  expect(rows).toEqual([{ now: 'JPY', currency: 'USD' }]);
});
