import { beforeAll, describe, expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { verify } from '../../../packages/import/src/verify.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { order, sejoliTables, timeOf, user } from './shop.ts';

const { dumpPath, moved } = useMoves();

const never = '0000-00-00 00:00:00';

const membership = (id: number, fields: object = {}) =>
  order(id, { type: 'subscription-regular', product_id: 102, user_id: id, ...fields });

const term = (order_id: number, fields: object = {}) => ({
  ID: order_id,
  created_at: timeOf(0),
  updated_at: never,
  deleted_at: never,
  order_id,
  order_parent_id: 0,
  user_id: order_id,
  product_id: 102,
  type: 'regular',
  end_date: '2080-01-31 12:00:00',
  status: 'active',
  ...fields,
});

const licence = (ID: number, order_id: number) => ({
  ...{ ID, created_at: timeOf(0), updated_at: never, deleted_at: never, status: 'active' },
  ...{ order_id, user_id: 4, product_id: 102, code: `KEY-${ID}`, string: '' },
});

const renewal = { user_id: 4, order_parent_id: 4 };

let shop: Moved<typeof sejoliImporter.source>;

beforeAll(async () => {
  const path = dumpPath('access.sql');
  writeDump(
    path,
    sejoliTables(
      Array.from({ length: 5 }, (_, i) => user(i + 1)),
      {
        sejolisa_orders: [
          membership(1),
          membership(2),
          membership(3),
          membership(4),
          membership(5, { ...renewal, created_at: timeOf(100_000) }),
          order(6, { user_id: 1 }),
        ],
        sejolisa_subscriptions: [
          term(1),
          term(2, { status: 'inactive', updated_at: timeOf(90) }),
          term(4),
          term(5, { ...renewal, end_date: '2070-01-31 12:00:00' }),
        ],
        sejolisa_licenses: [licence(1, 4), licence(2, 5)],
      },
    ),
  );
  shop = await moved(sejoliImporter, path);
}, 60_000);

const openTo = async (buyer: number) =>
  shop.query<{ product: number; ends: string | null }>(
    `select product_id::int as product, (end_active at time zone 'Asia/Jakarta')::text as ends
       from access_grants where user_id = $1 and status = 'active' and deleted_at is null
        and (end_active is null or end_active > now()) order by 1`,
    [buyer],
  );

describe('A subscription', () => {
  test('is open until its end', async () => {
    expect(await openTo(1)).toContainEqual({ product: 102, ends: '2080-01-31 12:00:00' });
  });

  test('that was switched off has ended, though its end is in the future', async () => {
    expect(await openTo(2)).toEqual([]);
    expect(shop.reported('subscriptions', 2)).toMatchObject({ reason: 'term-stopped' });
  });

  test('without any row gives no access', async () => {
    expect(await openTo(3)).toEqual([]);
    expect(shop.reported('orders', 3)).toMatchObject({ reason: 'term-missing' });
  });

  test('lasts as long as the longest of its orders', async () => {
    expect(await openTo(4)).toEqual([{ product: 102, ends: '2080-01-31 12:00:00' }]);
    expect(shop.reported('subscriptions', 5)).toMatchObject({ reason: 'outlasted' });
  });
});

test('A licence has a term for each paid order of its subscription, whichever order sold it', async () => {
  expect(
    await shop.query(
      `select license_id::int as id, array_agg(order_id::int order by order_id) as orders
         from license_terms group by 1 order by 1`,
    ),
  ).toEqual([
    { id: 1, orders: [4, 5] },
    { id: 2, orders: [4, 5] },
  ]);
});

test('The comparison of access names unexplained differences', async () => {
  const compared = async () => {
    const { plan } = sejoliImporter.plan(shop.staging, {});
    const all = await verify(shop.store.database, sejoliImporter, shop.staging, plan);
    return all.find(({ entity }) => entity === 'access');
  };
  expect(await compared()).toMatchObject({ source: 3, ours: 3, unexplained: 0 });
  for (const change of [
    `end_active = '2081-01-01' where order_id = 1`,
    `user_id = 5 where order_id = 6`,
  ])
    await shop.query(`update access_grants set ${change}`);
  expect(await compared()).toMatchObject({
    unexplained: 3,
    examples: [
      'user 1 product 101 only there',
      'user 1 product 102 ends',
      'user 5 product 101 only here',
    ],
  });
});
