import { serialize } from 'php-serialize';
import { randomReferrals } from '../affiliatewp/random.ts';
import { dice } from '../dice.ts';
import type { Table } from '../dump-writer.ts';
import { type Row, download, eddTables, item, options, order } from './shop.ts';

const downloads = [
  download(21, 'Plugin', { edd_price: '50.00', _edd_sl_enabled: '1', _edd_sl_limit: '2' }),
  download(22, 'Member', { edd_price: '10.00' }),
  download(23, 'Theme', {
    _variable_pricing: '1',
    edd_variable_prices: serialize({
      1: { index: '1', name: 'One site', amount: '19.00', license_limit: '1' },
      2: { index: '2', name: 'Five sites', amount: '49.00', license_limit: '5' },
    }),
  }),
  download(24, 'All', {
    ...{ edd_price: '90.00', _edd_product_type: 'bundle' },
    _edd_bundled_products: serialize(['21', '22']),
  }),
];

const prices = [50, 10, 19, 90];

const statuses = [
  ...['complete', 'complete', 'complete', 'complete', 'pending', 'processing', 'on_hold'],
  ...['refunded', 'partially_refunded', 'failed', 'abandoned', 'revoked'],
];

type Tables = Record<string, Row[]>;

/** A shop of that many orders with the records of all plugins; equal for equal seeds. */
export function randomEddShop(size: number, seed: number): Table[] {
  const roll = dice(seed);
  const made: Tables = {};
  const add = (table: string, row: Row) => (made[table] ??= []).push(row);
  addPeople(add);
  for (const [i, code] of ['SPRING', 'summer', 'Ten%'].entries())
    add('edd_adjustments', {
      ...{ id: i + 1, parent: 0, name: code, code, status: 'active', type: 'discount' },
      ...{ amount_type: i === 0 ? 'percent' : 'flat', amount: '10.000000000', max_uses: 0 },
      ...{ use_count: 3, once_per_customer: 0, min_charge_amount: '0.000000000' },
      ...{ date_created: '2024-01-01 00:00:00' },
    });
  const orders = Array.from({ length: size }, (_, i) => placed(i + 1, roll, add));
  const referrals = randomReferrals(roll, orders, { context: 'edd', currency: 'USD' });
  const settings = serialize({
    ...(seed % 3 === 0 ? {} : { recurring_download_limit: '1' }),
    ...(seed % 3 === 1 ? {} : { recurring_treat_completed_subs_as_active: '1' }),
  });
  const own = { option_name: 'edd_settings', option_value: settings };
  return eddTables(downloads, { ...made, ...referrals, options: [...options, own] });
}

type Add = (table: string, row: Row) => unknown;

function addPeople(add: Add) {
  for (let id = 1; id <= 8; id++) {
    add('users', {
      ...{ ID: id, user_email: `person${id}@people.example`, display_name: `Person ${id}` },
      user_registered: '2023-06-01 00:00:00',
    });
    const role = id === 1 ? 'administrator' : id === 2 ? 'shop_manager' : 'subscriber';
    add('usermeta', {
      ...{ user_id: id, meta_key: 'wp_capabilities', meta_value: serialize({ [role]: true }) },
    });
  }
  for (let id = 1; id <= 14; id++)
    add('edd_customers', {
      ...{ id, user_id: id <= 7 ? id : 0, email: `person${id}@people.example` },
      ...{ name: `Person ${id}`, date_created: '2023-06-01 00:00:00' },
    });
}

/** An order of one or two products, with its other records. */
function placed(n: number, roll: (sides: number) => number, add: Add) {
  const id = n * 10;
  const status = statuses[roll(statuses.length)] ?? 'complete';
  const customer = 1 + roll(14);
  const lines = Array.from({ length: 1 + (roll(4) === 0 ? 1 : 0) }, () => roll(4));
  const discount = roll(6) === 0 ? 1 : 0;
  const amounts = lines.map((line, i) => (prices[line] ?? 0) - (i === 0 ? discount : 0));
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const text = (amount: number) => `${amount}.000000000`;
  add(
    'edd_orders',
    order(id, {
      ...{ status, customer_id: customer, user_id: customer <= 7 ? customer : 0 },
      ...{ email: `person${customer}@people.example`, total: text(total) },
    }),
  );
  const itemStatus = status === 'complete' || status === 'partially_refunded' ? status : 'pending';
  for (const [i, line] of lines.entries())
    add(
      'edd_order_items',
      item(id + i, id, {
        ...{ product_id: 21 + line, cart_index: i, status: itemStatus },
        ...{ price_id: line === 2 ? 1 : null, subtotal: text(prices[line] ?? 0) },
        ...{ discount: text(i === 0 ? discount : 0), total: text(amounts[i] ?? 0) },
      }),
    );
  if (discount > 0)
    add('edd_order_adjustments', {
      ...{ id, object_id: id, object_type: 'order', type: 'discount', type_id: 1 + roll(3) },
      ...{ description: 'SPRING', total: text(discount) },
    });
  if (status === 'partially_refunded' || status === 'refunded') {
    const given = status === 'refunded' ? total : 1 + roll(5);
    add(
      'edd_orders',
      order(id + 5, {
        ...{ parent: id, type: 'refund', customer_id: customer, total: text(-given) },
      }),
    );
    add('edd_order_items', item(id + 5, id + 5, { parent: id, total: text(-given) }));
  }
  addLicences(id, 21 + (lines[0] ?? 0), roll, add);
  addSubscription(id, 21 + (lines[0] ?? 0), status, roll, add);
  return { id, product: 21 + (lines[0] ?? 0) };
}

const subscriptionStatuses = ['active', 'completed', 'cancelled', 'expired'];

const licenceStatuses = ['active', 'inactive', 'expired', 'disabled'];

function addLicences(id: number, product: number, roll: (sides: number) => number, add: Add) {
  if (roll(3) > 0) return;
  add('edd_licenses', {
    ...{ id, license_key: `abc${id}`.padStart(32, 'f'), status: licenceStatuses[roll(4)] ?? '' },
    ...{ download_id: product, price_id: null, payment_id: id, cart_index: 0, parent: 0 },
    ...{
      date_created: '2024-03-01 10:05:00',
      expiration: [0, 1_700_000_000, 4_070_908_800][roll(3)] ?? 0,
    },
    ...{ customer_id: 1 + roll(14), user_id: '0' },
  });
  add('edd_licensemeta', { edd_license_id: id, meta_key: '_edd_sl_limit', meta_value: '3' });
  const renewedBy = { edd_license_id: id, meta_key: '_edd_sl_payment_id', meta_value: id + 10 };
  if (id % 20 === 0) add('edd_licensemeta', renewedBy);
  for (let site = 0; site < roll(3); site++)
    add('edd_license_activations', {
      ...{ site_id: id + site, license_id: id, site_name: `site${site}.example` },
      ...{ activated: 1, is_local: roll(2) },
    });
}

function addSubscription(
  id: number,
  product: number,
  status: string,
  roll: (sides: number) => number,
  add: Add,
) {
  if (roll(4) > 0) return;
  add('edd_subscriptions', {
    ...{ id, customer_id: 1, period: 'year', parent_payment_id: id, product_id: product },
    ...{ created: '2024-03-01 10:05:00', profile_id: `sub_${id}`, bill_times: roll(3) },
    status: subscriptionStatuses[roll(subscriptionStatuses.length)] ?? 'active',
    expiration: roll(2) === 0 ? '2099-05-01 23:59:59' : '2025-05-01 23:59:59',
  });
  if (status !== 'complete') return;
  add(
    'edd_orders',
    order(id + 7, {
      ...{ parent: id, status: 'edd_subscription', customer_id: 1 },
      date_created: '2024-09-01 10:00:00',
    }),
  );
  add('edd_order_items', item(id + 7, id + 7, { product_id: product }));
}
