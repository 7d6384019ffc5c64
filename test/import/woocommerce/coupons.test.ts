import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { type MadeCouponLine, type MadeOrder, type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const coupon = (id: number, title: string, status = 'publish', usage_count = '0'): MadePost => ({
  ...{ id, type: 'shop_coupon', title, status },
  meta: { discount_type: 'percent', coupon_amount: '8', usage_count },
});

const used = (id: number, ...coupons: (string | MadeCouponLine)[]): MadeOrder => ({
  ...{ id, email: 'ada@people.example', total: '9.00', paid: true, completed: true },
  ...{ lines: [{ subtotal: '10', total: '9' }], coupons },
});

/** A stored `WC_Coupon`, with its objects. */
const serialised = (id: number) =>
  `a:3:{s:2:"id";i:${id};s:4:"code";s:5:"again";s:12:"date_created";O:11:"WC_DateTime":1:{s:13:"timezone_type";i:1;}}`;

long('an order has the coupon that it used, not a later one with the same code', async () => {
  const shop = madeShop(
    {
      posts: [
        coupon(602, 'again', 'trash'),
        coupon(610, 'twice', 'trash'),
        coupon(611, 'Twice', 'trash'),
        coupon(1558, 'again'),
      ],
      orders: [
        used(10, { code: 'again', coupon_info: '[602,"again","percent",8]' }),
        used(20, { code: 'again', coupon_info: '[1558,"again","percent",8]' }),
        used(30, { code: 'again', coupon_data: serialised(602) }),
        // The coupon was deleted; only its code is known.
        used(40, { code: 'again', coupon_info: '[600,"again","percent",8]' }),
        used(50, { code: 'again', coupon_info: 'nonsense', coupon_data: 'nonsense' }),
        used(60, 'again'),
        used(70, 'twice'),
        // The id belongs to a product.
        used(80, { code: 'lost', coupon_info: '[501,"lost","percent",8]' }),
      ],
    },
    true,
  );
  writeDump(dumpPath('again.sql'), shop);
  const store = await moved(woocommerceImporter, dumpPath('again.sql'));
  expect(
    await store.query('select id::int, coupon_id::int as coupon from orders order by id'),
  ).toEqual([
    { id: 10, coupon: 602 },
    { id: 20, coupon: 1558 },
    { id: 30, coupon: 602 },
    { id: 40, coupon: 1558 },
    { id: 50, coupon: 1558 },
    { id: 60, coupon: 1558 },
    { id: 70, coupon: 611 },
    { id: 80, coupon: null },
  ]);
  expect(
    await store.query('select coupon_id::int as id, used::int from coupon_usage order by 1'),
  ).toEqual([
    { id: 602, used: 2 },
    { id: 610, used: 0 },
    { id: 611, used: 1 },
    { id: 1558, used: 4 },
  ]);
  expect(store.reported('orders', 80)?.reason).toBe('coupon-missing');
});

describe('An imported coupon', () => {
  let shop: Moved;

  const bound = (id: number, meta: MadePost['meta'] = {}): MadePost => ({
    ...{ id, type: 'shop_coupon', title: `BOUND-${id}` },
    meta: { discount_type: 'percent', coupon_amount: '8', usage_count: '0', ...meta },
  });

  const [books, novels] = [901, 902];
  const category = (term_id: number, parent: number) =>
    cellsOf({ term_taxonomy_id: term_id, term_id, taxonomy: 'product_cat', parent });

  const coupons = [
    bound(601),
    bound(602, { limit_usage_to_x_items: '1' }),
    bound(603, { exclude_sale_items: 'yes' }),
    bound(604, { maximum_amount: '100' }),
    bound(605, { product_brands: serialize([7]) }),
    bound(606, { exclude_product_brands: serialize([7]) }),
    bound(607, { product_ids: '503' }),
    bound(608, { product_ids: '502,503' }),
    bound(609, { exclude_product_ids: '503' }),
    bound(610, { customer_email: 'ada@people.example' }),
    bound(611, { customer_email: serialize(['*@people.example']) }),
    bound(612, { individual_use: 'yes', exclude_sale_items: 'no', maximum_amount: '' }),
    bound(613, { usage_limit: '1', usage_count: '1' }),
    bound(614, { product_categories: serialize([books]) }),
    bound(615, { exclude_product_categories: serialize([books]) }),
    bound(616, { product_ids: '501,504', product_categories: serialize([novels]) }),
    bound(617, { product_ids: '501', product_categories: serialize([novels]) }),
  ];

  beforeAll(async () => {
    const product = (id: number): MadePost => ({
      ...{ id, type: 'product', title: `Product ${id}` },
      meta: { _price: '10', _virtual: 'yes' },
    });
    const variation = { ...product(503), type: 'product_variation', parent: 502 };
    const path = dumpPath('bound.sql');
    writeDump(
      path,
      madeShop(
        {
          posts: [product(502), variation, product(504), product(505), ...coupons],
          ...{ orders: [], types: { 502: 'variable' } },
          more: {
            term_taxonomy: [category(books, 0), category(novels, books)],
            term_relationships: [
              cellsOf({ object_id: 505, term_taxonomy_id: books }),
              cellsOf({ object_id: 504, term_taxonomy_id: novels }),
            ],
          },
        },
        false,
      ),
    );
    shop = await moved(woocommerceImporter, path);
  }, 60_000);

  test.each([
    [601, 'active', null],
    [602, 'pending', 'switched-off no-counterpart'],
    [603, 'pending', 'switched-off no-counterpart'],
    [604, 'pending', 'switched-off no-counterpart'],
    [605, 'pending', 'switched-off no-counterpart'],
    [606, 'pending', 'switched-off no-counterpart'],
    [607, 'pending', 'switched-off no-counterpart'],
    [608, 'active', null],
    [609, 'active', 'no-counterpart'],
    [610, 'pending', 'switched-off'],
    [611, 'pending', 'switched-off'],
    [612, 'active', null],
    [613, 'pending', 'switched-off uses-differ'],
    [614, 'active', 'no-counterpart'],
    [615, 'active', 'no-counterpart'],
    [616, 'active', 'no-counterpart'],
    [617, 'pending', 'impossible-settings switched-off no-counterpart'],
  ])(
    '%i is switched off if it would be worth more than in the shop',
    async (id, status, reason) => {
      const [found] = await shop.query('select status from coupons where id = $1', [id]);
      expect({ ...(found as object), reason: shop.reported('coupons', id)?.reason }).toEqual({
        ...{ status, reason },
      });
    },
  );

  test.each([
    [608, [502], []],
    [609, [], [502]],
    [614, [504, 505], []],
    [615, [], [504, 505]],
    [616, [504], []],
  ])('%i is for the products that the shop accepted it for', async (id, only, excluded) => {
    const columns = `rule -> 'apply_only' as only, rule -> 'cant_apply' as excluded`;
    const [found] = await shop.query(`select ${columns} from coupons where id = $1`, [id]);
    expect(found).toEqual({ only, excluded });
  });
});
