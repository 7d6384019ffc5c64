import type { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { crowdOf, long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { buy, fieldsOf, orderPath, report, send } from '../modules/shop/buyer.ts';
import { visit } from '../modules/shop/visitor.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
const callers = 8;

describe('Of eight forms that queue behind one address', () => {
  let slug: string;

  beforeAll(async () => {
    ({ slug } = await opened.fixture.newProduct({ title: 'Course' }));
  });

  /** The lock of an e-mail address, behind which its forms queue. */
  const lockOf = (email: string) =>
    `select pg_advisory_xact_lock(hashtextextended('purchase form address ${email}', 0))`;

  test('one makes an order if all are equal, and all are answered with the page of this order', async () => {
    const { fixture } = opened;
    const email = 'race@people.example';
    const page = await visit(fixture.store, `/checkout/${slug}`);
    const fields = { ...fieldsOf(page.text), name: 'Race', email, action: 'order' };
    const answers = await behindLock(
      fixture.store,
      lockOf(email),
      times(callers, () => send(fixture.store, slug, fields)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(callers).fill(303));
    expect(new Set(answers.map(orderPath)).size).toBe(1);
    const { rowCount } = await fixture.store.database.query(
      'select from orders o join users u on u.id = o.user_id where u.email = $1',
      [email],
    );
    expect(rowCount).toBe(1);
  });

  long('control: looking for the form before its turn lets several through', async () => {
    const { store } = opened.fixture;
    await store.database.query('create table sent_forms (key text)');
    const place = async (client: Client) => {
      const { rowCount } = await client.query(`select from sent_forms where key = 'one'`);
      if (rowCount) return false;
      await client.query(lockOf('control@people.example'));
      await client.query(`insert into sent_forms values ('one')`);
      return true;
    };
    const placed = await behindLock(
      store,
      lockOf('control@people.example'),
      times(callers, transaction(store, place)),
    );
    expect(placed.filter(Boolean).length).toBeGreaterThan(1);
  });

  test('three make orders if all differ, and the others are refused', async () => {
    const { fixture } = opened;
    const email = 'many@people.example';
    const answers = await behindLock(
      fixture.store,
      lockOf(email),
      times(callers, () => buy(fixture.store, slug, { email })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(callers - 3);
  });
});

describe('Of many buyers of the last unit', () => {
  const last = async () => {
    const { id, slug: name } = await opened.fixture.newProduct({ title: 'Last', stock: 1 });
    return { id, name, lock: `select from product_stock where product_id = ${id} for update` };
  };

  test('one gets it, even if all wait for it at once', async () => {
    const { fixture } = opened;
    const { id, name, lock } = await last();
    const calls = Array.from(
      { length: crowdOf(30) },
      (_, i) => () => buy(fixture.store, name, { email: `last-${i}@people.example` }),
    );
    const answers = await behindLock(fixture.store, lock, calls);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await fixture.product(id)).stock).toBe(0);
  });

  long('control: reading the stock before taking it sells it several times', async () => {
    const { fixture } = opened;
    const { id, lock } = await last();
    const take = async (client: Client) => {
      const { rows } = await client.query('select units from product_stock where product_id = $1', [
        id,
      ]);
      if (rows[0].units < 1) return false;
      await client.query('update product_stock set units = 0 where product_id = $1', [id]);
      return true;
    };
    const taken = await behindLock(
      fixture.store,
      lock,
      times(30, transaction(fixture.store, take)),
    );
    expect(taken.filter(Boolean).length).toBeGreaterThan(1);
  });
});

describe('Of eight payment proofs that queue behind an order with eight', () => {
  const lockOf = (id: number) => `select from orders where id = ${id} for update`;

  test('two are accepted, and the others are refused', async () => {
    const { store, newProduct } = opened.fixture;
    const { slug } = await newProduct({ title: 'Receipts' });
    const path = orderPath(await buy(store, slug, { email: 'receipts@people.example' }));
    const id = Number(/\d+/.exec(path)?.[0]);
    const upload = () => report(store, path);
    for (let i = 0; i < 8; i++) await upload();
    const answers = await behindLock(store, lockOf(id), times(callers, upload));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(callers - 2);
  });

  long('control: counting before the turn of each lets more through', async () => {
    const { store } = opened.fixture;
    await store.database.query('create table receipts (order_id bigint)');
    const { id } = await opened.fixture.newOrder({
      product_id: (await opened.fixture.newProduct()).id,
    });
    const take = async (client: Client) => {
      const { rows } = await client.query<{ n: string }>('select count(*) as n from receipts');
      await client.query(lockOf(id));
      await client.query('insert into receipts values ($1)', [id]);
      return Number(rows[0]?.n) < 2;
    };
    const taken = await behindLock(store, lockOf(id), times(callers, transaction(store, take)));
    expect(taken.filter(Boolean).length).toBeGreaterThan(2);
  });
});
