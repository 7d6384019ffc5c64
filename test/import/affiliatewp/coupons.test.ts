import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { eddTables } from '../edd/shop.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { type MadeOrder, type MadePost, madeShop } from '../woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const more = {
  affiliate_wp_affiliates: [cellsOf({ affiliate_id: 14, user_id: 4, status: 'active' })],
  affiliate_wp_coupons: [
    cellsOf({ coupon_id: 1, affiliate_id: 14, coupon_code: 'SELLER10' }),
    cellsOf({ coupon_id: 2, affiliate_id: 15, coupon_code: 'GONE10' }),
    cellsOf({ coupon_id: 3, affiliate_id: 14, coupon_code: 'TAKEN' }),
  ],
};

const coupon = (id: number, title: string, meta: MadePost['meta'], status = 'publish') => ({
  ...{ id, type: 'shop_coupon', title, status },
  meta: { discount_type: 'percent', coupon_amount: '10', ...meta },
});

const used = (id: number, code: string, coupon_info: string): MadeOrder => ({
  ...{ id, email: 'ada@people.example', total: '9.00', paid: true, completed: true },
  ...{ lines: [{ subtotal: '10', total: '9' }], coupons: [{ code, coupon_info }] },
});

/** A shop whose affiliates' coupons copy coupon 901. */
async function shopWith(name: string, template: MadePost): Promise<Moved> {
  const path = dumpPath(`${name}.sql`);
  const options = { affwp_settings: serialize({ coupon_template_woocommerce: 901 }) };
  const shop = {
    users: [{ id: 4, email: 'seller@people.example' }],
    posts: [template, coupon(902, 'taken', {})],
    orders: [
      used(10, 'seller10', '[0,"seller10","percent",10]'),
      used(20, 'taken', '[902,"taken","percent",10]'),
      used(30, 'taken', '[0,"taken","percent",10]'),
    ],
  };
  writeDump(path, madeShop({ ...shop, options, more }, false));
  return moved(woocommerceImporter, path);
}

const couponsIn = (shop: Moved) =>
  shop.query(
    `select id::int, code, user_id::int as owner, status, discount ->> 'value' as value,
            (rule ->> 'minimum_amount')::int as least, limit_use::int as most from coupons order by id`,
  );

const usedIn = (shop: Moved) =>
  shop.query('select id::int, coupon_id::int as coupon from orders order by id');

const reasonsIn = (shop: Moved) =>
  [1, 2, 3].map((id) => shop.reported('coupons', `affiliate coupon ${id}`)?.reason);

describe('A coupon that AffiliateWP made for an affiliate', () => {
  let shop: Moved;

  beforeAll(async () => {
    const meta = { minimum_amount: '500', usage_limit: '1', usage_count: '0' };
    shop = await shopWith('published', coupon(901, 'template', meta));
  });

  test('copies the discount of another coupon, but not its limits', async () => {
    const copy = { status: 'active', value: '10', least: 0, most: 0 };
    expect(await couponsIn(shop)).toEqual([
      { ...copy, id: 901, code: 'TEMPLATE', owner: null, least: 50_000, most: 1 },
      { ...copy, id: 902, code: 'TAKEN-902', owner: null },
      { ...copy, id: 903, code: 'SELLER10', owner: 4 },
      { ...copy, id: 904, code: 'GONE10', owner: null },
      { ...copy, id: 905, code: 'TAKEN', owner: 4 },
    ]);
    expect(reasonsIn(shop)).toEqual(['uses-differ', 'no-affiliate', 'uses-differ']);
    expect(shop.reported('coupons', 902)?.reason).toContain('code-taken');
  });

  test('is that of the orders which used it', async () => {
    expect(await usedIn(shop)).toEqual([
      { id: 10, coupon: 903 },
      { id: 20, coupon: 902 },
      { id: 30, coupon: 905 },
    ]);
  });

  test('gives the discount and leads to the affiliate', async () => {
    const store = await StoreFixture.open(shop.store);
    const buyer = await store.newUser();
    const { body } = await store.api.post('/orders', {
      ...{ user_id: buyer.id, product_id: 501, coupon_code: 'SELLER10' },
    });
    expect(body.data).toMatchObject({ discount_total: 100, affiliate_id: 4 });
  });
});

test('A coupon of an affiliate is switched off if the shop withdrew the one that it copies', async () => {
  const shop = await shopWith('draft', coupon(901, 'template', {}, 'draft'));
  expect(await couponsIn(shop)).toMatchObject([
    { id: 901, status: 'pending' },
    { id: 902, status: 'active', code: 'TAKEN' },
    { id: 903, status: 'pending', code: 'SELLER10', owner: 4 },
    { id: 904, status: 'pending' },
    { id: 905, status: 'pending', code: 'TAKEN-905' },
  ]);
  expect(reasonsIn(shop).map((reason) => reason?.split(' '))).toEqual([
    ['template-missing', 'uses-differ'],
    ['template-missing', 'no-affiliate'],
    ['code-taken', 'template-missing'],
  ]);
});

test('A coupon of an affiliate is switched off if it would be worth more than in the shop', async () => {
  const shop = await shopWith('looser', coupon(901, 'template', { exclude_sale_items: 'yes' }));
  expect((await couponsIn(shop))[2]).toMatchObject({ id: 903, status: 'pending' });
  expect(reasonsIn(shop)[0]).toBe('switched-off no-counterpart uses-differ');
});

test('A coupon of an affiliate is left out of a shop of Easy Digital Downloads, where it gives nothing', async () => {
  const users = [{ ID: 4, user_email: 'seller@people.example', display_name: 'Seller' }];
  writeDump(dumpPath('edd.sql'), eddTables([], { users, ...more }));
  const shop = await moved(eddImporter, dumpPath('edd.sql'));
  expect(await couponsIn(shop)).toEqual([]);
  expect(reasonsIn(shop)).toEqual(Array.from({ length: 3 }, () => 'template-missing'));
});
