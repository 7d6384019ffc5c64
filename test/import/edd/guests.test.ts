import { beforeAll, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

let shop: Moved;

const customer = (id: number, email: string, user_id = 0) => ({
  ...{ id, user_id, email, name: `Customer ${id}`, date_created: '2024-02-01 00:00:00' },
});

const ofNobody = (id: number, email: string) => order(id, { customer_id: 0, email });

const license = (id: number, payment_id: number) => ({
  ...{ id, payment_id, license_key: `key-${id}`, status: 'active', download_id: 21 },
  ...{ date_created: '2024-03-01 10:00:00', expiration: '0', customer_id: 0, user_id: 0 },
});

beforeAll(async () => {
  const ids = [1, 2, 3, 4, 5, 6, 7];
  writeDump(
    dumpPath('guests.sql'),
    eddTables([download(21, 'Plugin', { edd_price: '50.00' })], {
      users: [
        {
          ...{ ID: 3, user_email: 'held@shöpware', display_name: 'Held' },
          user_registered: '2024-01-01 00:00:00',
        },
      ],
      edd_customers: [
        customer(1, 'me@shöpware'),
        customer(2, 'me@shöpware'),
        customer(3, 'held@shöpware'),
        customer(4, '-'),
        customer(5, '-'),
      ],
      edd_orders: [
        order(1, { customer_id: 1 }),
        ofNobody(2, 'you@shöpware'),
        ofNobody(3, 'you@shöpware'),
        ofNobody(4, 'held@shöpware'),
        ofNobody(5, ''),
        ofNobody(6, ''),
        order(7, { customer_id: 4 }),
      ],
      edd_customer_email_addresses: [
        { customer_id: 1, email: 'Me@shöpware' },
        { customer_id: 2, email: 'me@shöpware' },
        { customer_id: 3, email: 'other@shöpware' },
      ],
      edd_order_items: ids.map((id) => item(id, id)),
      edd_order_addresses: [{ order_id: 5, type: 'billing', name: 'Ada Lovelace', city: 'London' }],
      edd_licenses: [license(1, 999), license(2, 999), license(3, 5)],
      edd_licensemeta: [],
      edd_license_activations: [],
    }),
  );
  shop = await moved(eddImporter, dumpPath('guests.sql'));
}, 60_000);

test('Each buyer whom the shop knows from orders alone becomes a user of their own', async () => {
  const rows = await shop.query<{ id: number; buyer: number }>(
    'select id::int, user_id::int as buyer from orders order by id',
  );
  const byBuyer = Map.groupBy(rows, ({ buyer }) => buyer);
  expect([...byBuyer.values()].map((own) => own.map(({ id }) => id))).toEqual([
    [1],
    [2, 3],
    [4],
    [5],
    [6],
    [7],
  ]);
  expect(byBuyer.get(3)).toEqual([{ id: 4, buyer: 3 }]);
});

test('An e-mail address that the store cannot take is kept in meta, with the name and address from the order', async () => {
  const rows = await shop.query(
    `select o.id::int, email, first_name, last_name, u.address, u.meta -> 'import' ->> 'email' as said
       from orders o join users u on u.id = user_id where o.id in (1, 2, 5) order by 1`,
  );
  const none = { email: null, address: '' };
  expect(rows).toEqual([
    { id: 1, ...none, first_name: 'Customer', last_name: '1', said: 'me@shöpware' },
    { id: 2, ...none, first_name: '', last_name: '', said: 'you@shöpware' },
    { ...none, id: 5, first_name: 'Ada', last_name: 'Lovelace', address: 'London', said: null },
  ]);
});

test('The report has a row for each of these buyers', () => {
  for (const id of ['guest-2', 'guest-5', 'guest-6'])
    expect(shop.reported('users', id)?.reason).toBe('guest email-impossible');
  for (const id of ['customer 1', 'customer 4', 'customer 5'])
    expect(shop.reported('users', id)?.reason).toBe('guest email-impossible');
  expect(shop.reported('users', 'customer 2')?.reason).toBe('joined email-impossible');
});

test('Licences without a customer get a user each, not one for all', async () => {
  const rows = await shop.query<{ holder: number }>(
    'select user_id::int as holder from licenses order by id',
  );
  expect(new Set(rows.map(({ holder }) => holder)).size).toBe(3);
  const [{ buyer }] = (await shop.query<{ buyer: number }>(
    'select user_id::int as buyer from orders where id = 5',
  )) as [{ buyer: number }];
  expect(rows[2]).toEqual({ holder: buyer });
});

test('The report names customers with several e-mail addresses', () => {
  const reasons = [2, 3].map((id) => shop.reported('users', `customer ${id}`)?.reason?.split(' '));
  expect(reasons[0]).not.toContain('several-addresses');
  expect(reasons[1]).toContain('several-addresses');
});
