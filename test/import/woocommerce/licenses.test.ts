import { expect } from 'vitest';
import { long } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

/** A key of Software License Manager, by default without an order. */
const key = (id: number, said: Readonly<Record<string, string>>) => ({
  ...{ id: String(id), license_key: `Key-${id}`, product_ref: '501', lic_status: 'active' },
  ...{ purchase_id_: '', email: 'ada@people.example', lic_type: 'subscription' },
  ...{ max_allowed_domains: '2', max_allowed_devices: '1' },
  ...{ date_created: '2024-02-01', date_activated: '2024-02-02', date_expiry: '2099-06-30' },
  ...said,
});

const used = (id: number, lic_key_id: number, registered_domain: string) => ({
  ...{ id: String(id), lic_key_id: String(lic_key_id), registered_domain },
});

long('keys become licences of the order that sold them, with their registered sites', async () => {
  const shop = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [
        { id: 502, type: 'product', title: 'Plugin', meta: { _price: '20', _virtual: 'yes' } },
      ],
      orders: [
        {
          ...{ id: 10, email: 'guest@people.example', total: '30.00', paid: true, completed: true },
          lines: [{}, { product: 502, total: '20' }],
        },
        { id: 20, customer: 3, total: '10.00', status: 'trash' },
      ],
      more: {
        lic_key_tbl: [
          key(1, { purchase_id_: '10', product_ref: '502', email: 'other@people.example' }),
          key(2, { lic_status: 'blocked', date_expiry: '0000-00-00' }),
          key(3, { license_key: 'KEY-1' }),
          key(4, { purchase_id_: '20', lic_status: 'expired' }),
          key(5, { email: 'nobody@people.example' }),
          key(6, { product_ref: '', email: 'nothing@people.example' }),
        ],
        lic_reg_domain_tbl: [
          used(1, 1, 'a.example'),
          used(2, 1, 'A.example'),
          used(3, 2, 'b.example'),
        ],
        lic_reg_devices_tbl: [{ id: '1', lic_key_id: '1', registered_devices: 'machine-7' }],
      },
    },
    true,
  );
  writeDump(dumpPath('keys.sql'), shop);
  const store = await moved(woocommerceImporter, dumpPath('keys.sql'));
  const reported = (id: number) => {
    const row = store.reported('licenses', id);
    return [row?.outcome, row?.reason];
  };
  expect(
    await store.query(
      `select l.id::int, code, order_id::int as order, product_id::int as product, u.email, l.status, activation_limit as seats,
              to_char(expires_at at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as ends,
              array(select string from license_activations a where a.license_id = l.id order by 1) as places
         from licenses l join users u on u.id = l.user_id order by l.id`,
    ),
  ).toEqual([
    {
      ...{ id: 1, code: 'Key-1', order: 11, product: 502, email: 'guest@people.example' },
      ...{
        status: 'active',
        seats: 3,
        ends: '2099-07-01 00:00',
        places: ['a.example', 'machine-7'],
      },
    },
    {
      ...{ id: 2, code: 'Key-2', order: null, product: 501, email: 'ada@people.example' },
      ...{ status: 'inactive', seats: 2, ends: null, places: ['b.example'] },
    },
    {
      ...{ id: 4, code: 'Key-4', order: null, product: 501, email: 'ada@people.example' },
      ...{ status: 'inactive', seats: 2, ends: '2099-07-01 00:00', places: [] },
    },
    {
      ...{ id: 5, code: 'Key-5', order: null, product: 501, email: 'nobody@people.example' },
      ...{ status: 'active', seats: 2, ends: '2099-07-01 00:00', places: [] },
    },
  ]);
  expect([1, 2, 3, 4, 5, 6].map(reported)).toEqual([
    ['changed', 'seats-joined places-joined'],
    ['changed', 'seats-of-one-kind'],
    ['refused', 'duplicate-code'],
    ['changed', 'order-not-imported expired-early seats-of-one-kind'],
    ['changed', 'seats-of-one-kind'],
    ['refused', 'no-product'],
  ]);
});

long(
  'a buyer whom only a licence key names becomes a user like a guest, and all buyers without an address become one user',
  async () => {
    const shop = madeShop(
      {
        users: [{ id: 3, email: 'ada@people.example' }],
        orders: [
          { id: 10, email: 'guest@people.example', total: '10.00' },
          { id: 20, email: 'gone@people.example', total: '10.00', currency: 'USD' },
          { id: 30, customer: 40, total: 'nonsense' },
        ],
        more: {
          lic_key_tbl: [
            key(1, { email: 'Hand@people.example', first_name: 'Hanna', last_name: 'Dahl' }),
            key(2, { email: ' hand@people.example', purchase_id_: '99' }),
            key(3, { email: 'guest@people.example' }),
            key(4, { email: '' }),
            key(5, { email: 'no address' }),
            key(6, { email: 'gone@people.example', purchase_id_: '20' }),
            key(7, { email: 'other@people.example', purchase_id_: '30' }),
            // The buyer of the order gets the key.
            key(8, { email: 'unseen@people.example', purchase_id_: '10' }),
          ],
          lic_reg_domain_tbl: [],
          lic_reg_devices_tbl: [],
        },
      },
      true,
    );
    writeDump(dumpPath('holders.sql'), shop);
    const store = await moved(woocommerceImporter, dumpPath('holders.sql'));
    expect(
      await store.query(
        `select l.id::int, u.id::int as user, u.email from licenses l join users u on u.id = l.user_id order by 1`,
      ),
    ).toEqual([
      { id: 1, user: 42, email: 'hand@people.example' },
      { id: 2, user: 42, email: 'hand@people.example' },
      { id: 3, user: 41, email: 'guest@people.example' },
      { id: 4, user: 43, email: null },
      { id: 5, user: 44, email: null },
      { id: 6, user: 45, email: 'gone@people.example' },
      { id: 7, user: 46, email: 'other@people.example' },
      { id: 8, user: 41, email: 'guest@people.example' },
    ]);
    const reported = (name: string) => {
      const row = store.reported('users', name);
      return [row?.outcome, row?.targetId, row?.reason];
    };
    expect(reported('guest-key-1')).toEqual(['changed', '42', 'guest']);
    expect(reported('guest-key-4')).toEqual(['changed', '43', 'guest email-impossible']);
    expect(store.reported('licenses', 2)?.reason).toBe('order-missing seats-joined');
    expect(await store.query('select first_name, last_name from users where id = 42')).toEqual([
      { first_name: 'Hanna', last_name: 'Dahl' },
    ]);
  },
);
