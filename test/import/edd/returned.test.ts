import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const refund = (id: number, parent: number, total: string): Row =>
  order(id, { parent, type: 'refund', total, date_created: '2024-03-05 10:00:00' });

const returned = (id: number, order_id: number, parent: number, total: string): Row =>
  item(id, order_id, { parent, total, subtotal: total });

let shop: Moved<typeof eddImporter.source>;

beforeAll(async () => {
  writeDump(
    dumpPath('returned.sql'),
    eddTables([download(21, 'Plugin', { edd_price: '50.00' })], {
      edd_orders: [
        // A fee of 10.00 is kept when the item is refunded.
        order(1, { status: 'partially_refunded', total: '60.00' }),
        refund(101, 1, '-50.00'),
        // Two items of 50.00 with 3.00 off both; the second is refunded in full.
        order(2, { status: 'partially_refunded', total: '97.00' }),
        refund(102, 2, '-50.00'),
        // Marked as refunded, without a refund and with a delivered item.
        order(3, { status: 'refunded' }),
        order(4, { customer_id: 0, email: 'Gone@mail.example' }),
        order(5, { customer_id: 9, email: 'gone@mail.example' }),
        // Options of a product that no longer exists, and of one that has no options any more.
        order(6, { total: '20.00' }),
        order(7),
      ],
      edd_order_items: [
        item(1, 1, { status: 'refunded' }),
        returned(11, 101, 1, '-50.00'),
        item(2, 2),
        item(3, 2, { status: 'refunded', cart_index: 1 }),
        returned(12, 102, 3, '-50.00'),
        item(4, 3),
        item(5, 4),
        item(6, 5),
        item(7, 6, {
          ...{ product_id: 99, product_name: 'Theme — One site', price_id: 1 },
          ...{ subtotal: '20.00', total: '20.00' },
        }),
        item(8, 7, { product_name: 'Plugin — Five sites', price_id: 2 }),
      ],
    }),
  );
  shop = await moved(eddImporter, dumpPath('returned.sql'));
}, 60_000);

const openOrders = async () =>
  (
    await shop.query<{ id: number }>(
      `select order_id::int as id from access_grants
        where status = 'active' and deleted_at is null order by 1`,
    )
  ).map(({ id }) => id);

describe('A refunded item', () => {
  test('no longer opens anything, even if a fee was kept', async () => {
    expect(await openOrders()).not.toContain(1);
    expect(shop.reported('orders', 1)).toMatchObject({ reason: 'returned' });
  });

  test('has the exact amount in the store, even if a negative fee made items cheaper', async () => {
    const rows = await shop.query(
      `select sum(refunded_total)::int as refunded, sum(grand_total)::int as total
         from orders where coalesce(meta #>> '{import,order}', id::text) = '2'`,
    );
    expect(rows).toEqual([{ refunded: 5000, total: 9700 }]);
    expect(await openOrders()).toContain(2);
  });

  test('known only by its status closes the order, and the report says that the shop still delivers', async () => {
    expect(await openOrders()).not.toContain(3);
    expect(shop.reported('orders', 3)).toMatchObject({ reason: 'closed-all-the-same' });
  });
});

test('Orders of a deleted customer belong to one person, by the address in them', async () => {
  expect(
    await shop.query(
      `select o.id::int, u.email from orders o join users u on u.id = o.user_id
        where o.id in (4, 5) order by 1`,
    ),
  ).toEqual([4, 5].map((id) => ({ id, email: 'gone@mail.example' })));
  expect(shop.reported('users', 'guest-4')).toMatchObject({ reason: 'guest' });
});

test('An order keeps an option that is no longer sold', async () => {
  expect(
    await shop.query(
      `select o.id::int, p.title, v ->> 'label' as option, v ->> 'option_id' as key
         from orders o join products p on p.id = o.product_id, jsonb_array_elements(o.variants) v order by 1`,
    ),
  ).toEqual([
    { id: 6, title: 'Theme', option: 'One site', key: 'option-1' },
    { id: 7, title: 'Plugin', option: 'Five sites', key: 'option-2' },
  ]);
});
