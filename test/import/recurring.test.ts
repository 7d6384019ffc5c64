import { serialize } from 'php-serialize';
import { describe, expect, test } from 'vitest';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { long } from '../harness/long.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { download, eddTables, item, order } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { writeDump } from './shops.ts';
import { type MadePost, madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const once = { status: 'publish', payment: 'one-time', sold: null, reason: null };
const draft = { status: 'draft', payment: 'recurring', sold: null, reason: 'no-counterpart' };

const every = (duration: number, period: string, fields: object = {}) => ({
  ...{ status: 'publish', payment: 'recurring', reason: null },
  sold: { duration, period, trial: 0, fee: 0, ...fields },
});

async function allSoldIn(shop: Moved, ids: readonly number[]) {
  const all: object[] = [];
  for (const id of ids) all.push(await soldIn(shop, id));
  return all;
}

/** A product with the subscription that it sells, if any, and the reason in its report. */
async function soldIn(shop: Moved, id: number) {
  const [row] = await shop.query<object>(
    `select status, payment_type as payment, case when (s ->> 'active')::boolean then jsonb_build_object(
              'duration', s #> '{regular,duration}', 'period', s #> '{regular,period}',
              'trial', case when (s #>> '{tryout,active}')::boolean then s #> '{tryout,duration}' else '0' end,
              'fee', s #> '{signup,fee}') end as sold
       from products, lateral (select subscription as s) x where id = $1`,
    [id],
  );
  return { ...row, reason: shop.reported('products', id)?.reason };
}

/** Renews a subscription that is about to end, and returns its new end. */
async function renewed({ store }: Moved, subscription: number): Promise<string> {
  store.clock.set('2100-01-30T08:00:00.000Z');
  const { api } = await StoreFixture.open(store);
  const path = `/subscriptions/${subscription}`;
  const { user_id, product_id, orders, renewable } = (await api.get(path)).body.data;
  expect(renewable).toBe(true);
  const made = await api.post('/orders', {
    ...{ user_id, product_id, order_parent_id: orders[0].id, status: 'completed' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return (await api.get(path)).body.data.end_date;
}

describe('A subscription of WooCommerce', () => {
  const sold = (id: number, fields: object, type = 'product', parent = 0): MadePost => ({
    ...{ id, type, parent, title: `Club ${id}` },
    meta: {
      ...{ _price: '10', _virtual: 'yes', _subscription_period: 'month' },
      ...{ _subscription_period_interval: '1', _subscription_length: '0', ...fields },
    },
  });

  const trial = { _subscription_trial_length: '2', _subscription_trial_period: 'week' };
  const fee = { _subscription_sign_up_fee: '5.50' };

  long(
    'is sold on its own terms or is a draft, and what was sold of it can be renewed',
    async () => {
      const posts = [
        sold(510, {}),
        sold(511, { _subscription_period: 'week', _subscription_period_interval: '2', ...fee }),
        sold(512, trial),
        sold(513, { ...trial, ...fee }),
        sold(514, { _subscription_length: '12' }),
        sold(515, { _subscription_period: 'moon' }),
        sold(516, {}),
        sold(517, { _price: '10' }, 'product_variation', 516),
        sold(518, { _price: '30' }, 'product_variation', 516),
        sold(520, {}),
        sold(521, { _price: '10' }, 'product_variation', 520),
        sold(522, { _price: '90', _subscription_period: 'year' }, 'product_variation', 520),
        sold(530, { _subscription_sign_up_fee: 'left over' }),
      ];
      const types = {
        ...Object.fromEntries([510, 511, 512, 513, 514, 515].map((id) => [id, 'subscription'])),
        ...{ 516: 'variable-subscription', 520: 'variable-subscription' },
      };
      const made = {
        ...{ posts, types, users: [{ id: 3, email: 'ada@people.example' }] },
        orders: [
          { id: 10, customer: 3, total: '10.00', completed: true, lines: [{ product: 510 }] },
        ],
        subscriptions: [{ id: 11, order: 10, products: [510], next: '2100-01-31 08:00:00' }],
      };
      writeDump(dumpPath('woocommerce.sql'), madeShop(made, true));
      const shop = await moved(woocommerceImporter, dumpPath('woocommerce.sql'));
      expect(await allSoldIn(shop, [510, 511, 512, 513, 514, 515, 516, 520, 530])).toEqual([
        every(1, 'monthly'),
        every(14, 'daily', { fee: 550 }),
        every(1, 'monthly', { trial: 14 }),
        ...[draft, draft, draft],
        every(1, 'monthly'),
        draft,
        once,
      ]);
      expect(await renewed(shop, 11)).toBe('2100-02-28T08:00:00.000Z');
    },
  );
});

describe('A recurring download of Easy Digital Downloads', () => {
  const yearly = { edd_price: '50', edd_recurring: 'yes', edd_period: 'year', edd_times: '0' };

  const option = (amount: string, fields: object = {}) => ({
    ...{ index: '1', name: amount, amount, recurring: 'yes', period: 'quarter', times: '0' },
    ...{ signup_fee: '', 'trial-quantity': '', 'trial-unit': '' },
    ...fields,
  });

  const priced = (...options: object[]) => ({
    _variable_pricing: '1',
    edd_variable_prices: serialize(Object.fromEntries(options.map((one, i) => [i + 1, one]))),
  });

  test('is sold on its own terms or is a draft, and what was sold of it can be renewed', async () => {
    const downloads = [
      { ...yearly },
      { ...yearly, edd_signup_fee: '3' },
      { ...yearly, edd_trial_period: serialize({ quantity: 14, unit: 'day' }) },
      { ...yearly, edd_times: '3' },
      { ...yearly, edd_recurring: 'no' },
      priced(option('10'), option('40')),
      priced(option('10'), option('40', { period: 'year' })),
      priced(option('10'), option('400', { recurring: 'no' })),
      priced(option('10', { recurring: 'no' }), option('40', { recurring: 'no' })),
    ].map((meta, i) => download(21 + i, `plugin-${i}`, meta));
    const rows = {
      edd_orders: [order(1)],
      edd_order_items: [item(1, 1)],
      edd_subscriptions: [
        {
          ...{ id: 5, customer_id: 1, period: 'year', parent_payment_id: 1, product_id: 21 },
          ...{ expiration: '2100-01-31 08:00:00', status: 'active', profile_id: '' },
        },
      ],
    };
    writeDump(dumpPath('edd.sql'), eddTables(downloads, rows));
    const shop = await moved(eddImporter, dumpPath('edd.sql'));
    const ids = downloads.map(({ post }) => post.ID);
    expect(await allSoldIn(shop, ids)).toEqual([
      every(1, 'yearly'),
      every(1, 'yearly', { fee: 300 }),
      every(1, 'yearly', { trial: 14 }),
      draft,
      once,
      every(3, 'monthly'),
      ...[draft, draft],
      once,
    ]);
    expect(await renewed(shop, 5)).toBe('2101-01-31T08:00:00.000Z');
  });
});
