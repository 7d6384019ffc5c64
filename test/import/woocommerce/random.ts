import { serialize } from 'php-serialize';
import { randomReferrals } from '../affiliatewp/random.ts';
import { dice } from '../dice.ts';
import type { Table } from '../dump-writer.ts';
import { type Rows, cellsOf } from '../shops.ts';
import { type MadeOrder, type MadePost, type MadeSubscription, madeShop } from './shop.ts';

type Roll = (sides: number) => number;

const posts: readonly MadePost[] = [
  { id: 502, type: 'product', title: 'Course', meta: { _price: '20.50', _virtual: 'yes' } },
  {
    ...{ id: 503, type: 'product', title: 'Shirt' },
    meta: { _price: '15', _manage_stock: 'yes', _stock: '7', _weight: '0.2' },
  },
  ...[511, 512].map((id) => ({
    ...{ id, type: 'product_variation', title: `Shirt ${id}`, parent: 503 },
    meta: { _price: id === 511 ? '15' : '18.90', attribute_size: 'm', _sku: `s-${id}` },
  })),
  { id: 504, type: 'product', title: 'Membership', meta: { _price: '10', _virtual: 'yes' } },
  {
    ...{ id: 521, type: 'shop_coupon', title: 'spring' },
    meta: { discount_type: 'percent', coupon_amount: '10', usage_count: '2' },
  },
  {
    ...{ id: 522, type: 'shop_coupon', title: 'Ten off' },
    meta: {
      ...{ discount_type: 'fixed_cart', coupon_amount: '10', product_ids: '502,503' },
      customer_email: serialize(['person1@people.example']),
    },
  },
];

const prices = [10, 20.5, 15, 10];

const statuses = [
  ...['wc-completed', 'wc-completed', 'wc-completed', 'wc-processing', 'wc-pending'],
  ...['wc-on-hold', 'wc-refunded', 'wc-cancelled', 'wc-failed', 'trash'],
];

const spans = [
  ...([
    [1, 'year'],
    [2, 'month'],
    [3, 'week'],
  ] as const),
  ...([
    [10, 'day'],
    [1, 'month'],
  ] as const),
];

/** A shop of that many orders with the records of all plugins; equal for equal seeds. */
export function randomWooShop(size: number, seed: number, isInTables: boolean): Table[] {
  const roll = dice(seed);
  const orders = Array.from({ length: size }, (_, i) => placed(1000 + i * 10, roll));
  const subscriptions = orders
    .filter(({ id, lines }) => id % 40 === 0 && lines?.[0]?.product === 504)
    .map(({ id }): MadeSubscription => ({
      // The shop made some by hand.
      ...{ id: id + 5, order: id % 120 === 0 ? 0 : id, products: [504], end: '0' },
      status: roll(3) === 0 ? 'wc-cancelled' : 'wc-active',
      next: '2099-05-31 10:00:00',
      every: spans[(id / 5) % spans.length] ?? [1, 'month'],
    }));
  const renewals = subscriptions.map(({ id, order }): MadeOrder => ({
    ...{ id: 1000 + size * 10 + id, customer: 3, total: '10.00', lines: [{ product: 504 }] },
    ...(id % 3 === 0 ? { switches: id } : { renews: id }),
    ...{ paid: true, completed: order % 80 === 0 },
    status: order % 80 === 0 ? 'wc-completed' : 'wc-processing',
  }));
  const sold = orders.map(({ id, lines }) => ({ id, product: lines?.[0]?.product ?? 501 }));
  return madeShop(
    {
      ...{ posts, subscriptions, types: { 503: 'variable' }, orders: [...orders, ...renewals] },
      users: Array.from({ length: 8 }, (_, i) => ({
        id: i + 1,
        email: `person${i + 1}@people.example`,
      })),
      more: {
        usermeta: capabilities,
        ...randomReferrals(roll, sold, { context: 'woocommerce', currency: 'EUR' }),
        ...randomKeys(roll, sold),
      },
    },
    isInTables,
  );
}

const capabilities = Array.from({ length: 8 }, (_, i) => {
  const role = ['administrator', 'shop_manager'][i] ?? 'customer';
  const meta_value = serialize({ [role]: true });
  return cellsOf({ user_id: i + 1, meta_key: 'wp_capabilities', meta_value });
});

/** An order of one or two products, sometimes partly refunded. */
function placed(id: number, roll: Roll): MadeOrder {
  const customer = roll(2) === 0 ? 1 + roll(8) : 0;
  const status = statuses[roll(statuses.length)] ?? 'wc-completed';
  const kinds = Array.from({ length: 1 + (roll(4) === 0 ? 1 : 0) }, () => roll(4));
  const lines = kinds.map((kind) => {
    const total = (prices[kind] ?? 0).toFixed(2);
    return { product: 501 + kind, variation: kind === 2 ? 511 : 0, total, subtotal: total };
  });
  const goods = kinds.reduce((sum, kind) => sum + (prices[kind] ?? 0), 0);
  const shipping = roll(3) === 0 ? '4.90' : undefined;
  const total = goods + Number(shipping ?? 0);
  const isPaid = /completed|processing|refunded/.test(status);
  const given = status === 'wc-refunded' ? total : roll(6) === 0 && isPaid ? 1 + roll(5) : 0;
  return {
    ...{ id, status, customer, total: total.toFixed(2), lines, paid: isPaid },
    ...{
      completed: status === 'wc-completed',
      gateway: ['bacs', 'stripe', 'manual'][roll(3)] ?? '',
    },
    ...(shipping === undefined ? {} : { shipping }),
    ...(customer === 0 ? { email: `Guest${roll(9)}@people.example` } : {}),
    ...(roll(5) === 0 ? { coupons: [roll(2) === 0 ? 'spring' : 'ten off'] } : {}),
    ...(given === 0
      ? {}
      : { refunds: [{ id: id + 3, amount: given.toFixed(2), lines: { 0: '1' } }] }),
  };
}

const keyStatuses = ['active', 'pending', 'blocked', 'expired'];

/** Keys of Software License Manager for about every fourth order, some of them in use. */
function randomKeys(roll: Roll, sold: readonly { id: number; product: number }[]): Rows {
  const keys = sold.filter(() => roll(4) === 0);
  return {
    lic_key_tbl: keys.map(({ id, product }) =>
      cellsOf({
        ...{
          id,
          license_key: `slm-${id}`,
          lic_status: keyStatuses[roll(4)] ?? '',
          lic_type: 'subscription',
        },
        ...{ max_allowed_domains: 2, max_allowed_devices: roll(2), purchase_id_: String(id) },
        ...{ email: `person${1 + roll(8)}@people.example`, product_ref: String(product) },
        ...{ date_created: '2024-02-01', date_activated: '2024-02-02' },
        date_expiry: ['2099-06-30', '2024-06-30', '0000-00-00'][roll(3)] ?? '',
      }),
    ),
    lic_reg_domain_tbl: keys.map(({ id }) =>
      cellsOf({ id, lic_key_id: id, registered_domain: `site${roll(5)}.example` }),
    ),
    lic_reg_devices_tbl: keys.map(({ id }) =>
      cellsOf({ id, lic_key_id: id, registered_devices: `machine-${roll(5)}` }),
    ),
  };
}
