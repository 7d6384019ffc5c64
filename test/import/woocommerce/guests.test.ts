import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { type MadeOrder, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const paid = { total: '10.00', paid: true, completed: true } as const;

/** Orders without an account: 100 and 101 have the same address, and those of 105 and 106 are invalid. */
const orders: readonly MadeOrder[] = [
  { ...paid, id: 100, email: ' Me@shöp ware' },
  { ...paid, id: 101, email: 'me@shöpware' },
  { ...paid, id: 102, email: 'ME@shöpware', lines: [{ product: 502 }] },
  { ...paid, id: 103, email: 'you@shöpware' },
  { ...paid, id: 104, email: 'held@shöpware' },
  { ...paid, id: 105, email: '-' },
  { ...paid, id: 106, email: '-' },
  { ...paid, id: 107 },
  { ...paid, id: 108 },
  { ...paid, id: 109, customer: 1 },
];

const key = (id: number, email: string) =>
  cellsOf({
    ...{ id, license_key: `key-${id}`, product_ref: '501', lic_status: 'active', email },
    ...{ max_allowed_domains: 1, max_allowed_devices: 0, first_name: `Holder ${id}` },
    ...{ date_created: '2024-02-01', date_expiry: '2099-06-30' },
  });

describe.each([true, false])('A buyer without an account (orders in tables: %s)', (isInTables) => {
  let shop: Moved;

  beforeAll(async () => {
    const path = dumpPath(`guests-${isInTables}.sql`);
    const tables = madeShop(
      {
        users: [{ id: 1, email: 'held@shöpware' }],
        posts: [
          { id: 502, type: 'product', title: 'Cup', meta: { _price: '10', _virtual: 'yes' } },
        ],
        orders,
        more: {
          lic_key_tbl: [key(1, ''), key(2, ''), key(3, 'you@shöpware'), key(4, 'new@shöpware')],
          lic_reg_domain_tbl: [],
          lic_reg_devices_tbl: [],
        },
      },
      isInTables,
    );
    writeDump(path, tables);
    shop = await moved(woocommerceImporter, path);
  }, 60_000);

  test('is a person of their own, whatever the address', async () => {
    const rows = await shop.query<{ bought: string }>(
      `select string_agg(id::text, ' ' order by id) as bought from orders group by user_id order by min(id)`,
    );
    expect(rows.map(({ bought }) => bought)).toEqual([
      ...['100', '101 102', '103', '104 109', '105', '106', '107', '108'],
    ]);
  });

  test('keeps an address that the store can’t store, and the name', async () => {
    const rows = await shop.query(
      `select o.id::int, email, last_name, u.meta -> 'import' ->> 'email' as said
         from orders o join users u on u.id = user_id where o.id in (101, 105, 107, 109) order by 1`,
    );
    expect(rows).toEqual([
      { id: 101, email: null, last_name: 'Nr. 101', said: 'me@shöpware' },
      { id: 105, email: null, last_name: 'Nr. 105', said: '-' },
      { id: 107, email: null, last_name: 'Nr. 107', said: null },
      { id: 109, email: null, last_name: '', said: 'held@shöpware' },
    ]);
  });

  test('is shown and found by the name that the order or the key has', async () => {
    const [row] = await shop.query(
      `select display_name as name from orders o join users u on u.id = user_id where o.id = 101`,
    );
    expect(row).toEqual({ name: 'Ada Nr. 101' });
    const keys = await shop.query<{ name: string }>(
      `select display_name as name from licenses l join users u on u.id = user_id order by l.id`,
    );
    expect(keys.map(({ name }) => name)).toEqual([
      ...['Holder 1', 'Holder 2', 'Ada Nr. 103', 'Holder 4'],
    ]);
  });

  test('is in the report, each in a row', () => {
    for (const id of [100, 101, 103, 105, 106, 107, 108])
      expect(shop.reported('users', `guest-${id}`)).toMatchObject({
        reason: 'guest email-impossible',
      });
    expect(shop.reported('users', 'guest-102')).toBeUndefined();
  });

  test('who is known only by a licence key is a person of their own, too', async () => {
    const rows = await shop.query<{ holder: number; name: string }>(
      `select user_id::int as holder, first_name as name from licenses l join users u on u.id = user_id order by l.id`,
    );
    expect(new Set(rows.map(({ holder }) => holder)).size).toBe(4);
    expect(rows.map(({ name }) => name)).toEqual(['Holder 1', 'Holder 2', 'Ada', 'Holder 4']);
  });
});
