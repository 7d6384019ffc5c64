import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeOrder, dayOf, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const bought = { customer: 3, total: '10.00', paid: true, completed: true };
const of = (product: number): Pick<MadeOrder, 'lines'> => ({ lines: [{ product }] });
const [silver, gold, platinum] = [of(502), of(503), of(504)];
const next = '2100-01-31 08:00:00';

let shop: Moved;

beforeAll(async () => {
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [502, 503, 504].map((id) => ({
        ...{ id, type: 'product', title: `Club ${id}` },
        meta: { _price: '10', _virtual: 'yes' },
      })),
      types: { 502: 'subscription', 503: 'subscription' },
      orders: [
        { ...bought, ...silver, id: 10, renews: 11 },
        { ...bought, ...silver, id: 100, renews: 11 },
        { ...bought, ...silver, id: 20, renews: 21 },
        // Switched from silver to gold, together with a mug.
        { ...bought, id: 30, total: '20.00', lines: [{}, { product: 502 }] },
        { ...bought, ...silver, id: 120, renews: 31 },
        { ...bought, ...gold, id: 130, switches: 31 },
        { ...bought, ...gold, id: 220, renews: 31 },
        // The shop changed the product of the subscription by hand.
        { ...bought, ...silver, id: 40 },
        // The subscription is in the bin, or deleted.
        { ...bought, ...gold, id: 50 },
        { ...bought, ...platinum, id: 60, renews: 999 },
      ],
      subscriptions: [
        { id: 11, order: 0, products: [502], next },
        { id: 21, order: 0, products: [502], status: 'wc-cancelled', end: dayOf(60) },
        { id: 31, order: 30, products: [503], next },
        { id: 41, order: 40, products: [504], next },
        { id: 51, order: 50, products: [503], status: 'trash' },
      ],
    },
    true,
  );
  writeDump(dumpPath('chains.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('chains.sql'));
}, 60_000);

const subscriptionOf = async (id: number) =>
  (
    await shop.query(
      `select s.first_order_id::int as first, s.order_id::int as last, s.product_id::int as product,
              to_char(g.end_active at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends
         from subscriptions s join access_grants g on g.order_id = first_order_id where s.id = $1`,
      [id],
    )
  )[0];

const accessOf = (...orders: number[]) =>
  shop.query(
    `select order_id::int as order, product_id::int as product, status, end_active as ends from access_grants
      where order_id = any($1) order by 1`,
    [orders],
  );

const reasonOf = (entity: string, id: string | number) => shop.reported(entity, id)?.reason;

describe('A subscription of WooCommerce', () => {
  test('that the shop made by hand begins with its earliest order, and ends as in the shop', async () => {
    expect(await subscriptionOf(11)).toEqual({ first: 10, last: 100, product: 502, ends: next });
    const ends = dayOf(60);
    expect(await subscriptionOf(21)).toEqual({ first: 20, last: 20, product: 502, ends });
  });

  test('that switched to another product begins with the switch, and the former product ends', async () => {
    expect(await subscriptionOf(31)).toEqual({ first: 130, last: 220, product: 503, ends: next });
    const revoked = { product: 502, status: 'revoked', ends: null };
    expect(await accessOf(30, 32, 120, 130)).toEqual([
      { order: 30, product: 501, status: 'active', ends: null },
      { order: 32, ...revoked },
      { order: 120, ...revoked },
      expect.objectContaining({ order: 130, product: 503, status: 'active' }),
    ]);
    for (const id of [30, 120]) expect(reasonOf('orders', id)).toContain('subscription-missing');
    expect(reasonOf('orders', 130)).toBeNull();
  });

  test('whose product none of its orders has keeps the product of its first order', async () => {
    expect(await subscriptionOf(41)).toEqual({ first: 40, last: 40, product: 502, ends: next });
    expect(reasonOf('subscriptions', 41)).toContain('other-product');
  });

  test('that is in the bin or deleted gives no access', async () => {
    expect(await accessOf(50, 60)).toMatchObject([{ status: 'revoked' }, { status: 'revoked' }]);
    for (const id of [50, 60]) expect(reasonOf('orders', id)).toBe('subscription-missing');
  });
});
