import { expect } from 'vitest';
import { long } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
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
