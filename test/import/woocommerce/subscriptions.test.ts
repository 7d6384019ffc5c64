import { expect, test } from 'vitest';
import { isLong, long } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeOrder, type MadeShop, dayOf, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const paid = {
  customer: 3,
  total: '10.00',
  paid: true,
  completed: true,
} satisfies Partial<MadeOrder>;

const made: MadeShop = {
  users: [{ id: 3, email: 'ada@people.example' }],
  posts: [{ id: 502, type: 'product', title: 'Magazine', meta: { _price: '10' } }],
  orders: [
    // Renewed once; a second renewal is not paid yet.
    { ...paid, id: 10 },
    { ...paid, id: 100, renews: 11 },
    { id: 190, customer: 3, total: '10.00', status: 'wc-pending', renews: 11 },
    // Bought together with a mug that is no subscription.
    { ...paid, id: 20, total: '20.00', lines: [{}, { product: 502 }] },
    { ...paid, id: 110, lines: [{ product: 502 }], renews: 23 },
    // Cancelled, after the paid time was used up.
    { ...paid, id: 30 },
    // Never paid.
    { id: 40, customer: 3, total: '10.00', status: 'wc-cancelled' },
  ],
  subscriptions: [
    { id: 11, order: 10, next: '2100-01-31 08:00:00' },
    { id: 23, order: 20, products: [502], status: 'wc-pending-cancel', end: '2101-01-31 08:00:00' },
    { id: 31, order: 30, status: 'wc-cancelled', end: '2024-03-01 08:00:00' },
    { id: 41, order: 40, status: 'wc-cancelled' },
    { id: 51, order: 500 },
    { id: 9, order: 10, status: 'trash' },
  ],
};

const places: [string, boolean][] = [
  ['in tables', true],
  ['among posts', false],
];

test.each(isLong ? places : places.slice(0, 1))(
  'subscriptions %s give access until the end of the paid time',
  async (name, isInTables) => {
    writeDump(dumpPath(`${name}.sql`), madeShop(made, isInTables));
    const shop = await moved(woocommerceImporter, dumpPath(`${name}.sql`));
    const utc = (column: string) =>
      `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ${column}`;
    expect(
      await shop.query(
        `select s.id::int, first_order_id::int as first, s.order_id::int as last, s.status, ${utc('end_date')},
              g.status as access
         from subscriptions s join access_grants g on g.order_id = first_order_id order by s.id`,
      ),
    ).toEqual([
      {
        id: 11,
        first: 10,
        last: 100,
        status: 'active',
        end_date: '2100-01-31 08:00:00',
        access: 'active',
      },
      {
        id: 23,
        first: 21,
        last: 110,
        status: 'active',
        end_date: '2101-01-31 08:00:00',
        access: 'active',
      },
      {
        id: 31,
        first: 30,
        last: 30,
        status: 'cancelled',
        end_date: '2024-03-01 08:00:00',
        access: 'active',
      },
      { id: 41, first: 40, last: 40, status: 'inactive', end_date: null, access: 'revoked' },
    ]);
    // Each renewal paid for the three months up to its end.
    expect(
      await shop.query(
        `select order_id::int as order, duration, period, ${utc('until')} from subscription_terms
        where first_order_id = 10 order by 1`,
      ),
    ).toEqual([
      { order: 10, duration: 3, period: 'monthly', until: '2099-10-31 08:00:00' },
      { order: 100, duration: 3, period: 'monthly', until: '2100-01-31 08:00:00' },
      { order: 190, duration: 3, period: 'monthly', until: null },
    ]);
    expect(
      await shop.query(
        `select id::int, order_parent_id::int as first, type from orders where id in (20, 21, 110) order by 1`,
      ),
    ).toEqual([
      { id: 20, first: null, type: 'regular' },
      { id: 21, first: null, type: 'subscription-regular' },
      { id: 110, first: 21, type: 'subscription-regular' },
    ]);
    const reportOf = (id: string) => {
      const row = shop.reported('subscriptions', id);
      return [row?.outcome, row?.reason, row?.detail];
    };
    expect(['11', '11-190', '41', '51', '9'].map(reportOf)).toEqual([
      ['changed', 'charged-elsewhere renews-otherwise', 'stripe'],
      ['changed', 'not-paid', null],
      ['changed', 'renews-otherwise not-paid', null],
      ['refused', 'order-missing', null],
      ['left-out', 'status-ignored', null],
    ]);
  },
);

long('a renewal that was paid after the next one ends at the same time as that one', async () => {
  const shop = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      orders: [
        { ...paid, id: 10 },
        { ...paid, id: 100, renews: 11, completedAt: dayOf(300) },
        { ...paid, id: 190, renews: 11 },
      ],
      subscriptions: [{ id: 11, order: 10, next: '2100-01-31 08:00:00' }],
    },
    true,
  );
  writeDump(dumpPath('late.sql'), shop);
  const store = await moved(woocommerceImporter, dumpPath('late.sql'));
  expect(
    await store.query(`select (end_active at time zone 'UTC')::text as ends from access_grants`),
  ).toEqual([{ ends: '2100-01-31 08:00:00' }]);
  expect(store.reported('subscriptions', '11-100')?.reason).toBe('outlasted');
});
