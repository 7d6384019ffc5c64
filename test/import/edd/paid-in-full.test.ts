import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, options, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const placed = (id: number, date: string, fields: Row = {}): Row =>
  order(id, {
    ...{ date_created: `${date} 10:00:00`, date_modified: `${date} 10:05:00` },
    ...{ date_completed: `${date} 10:05:00`, ...fields },
  });

const subscription = (id: number, parent_payment_id: number, fields: Row): Row => ({
  ...{ id, customer_id: 1, period: 'month', parent_payment_id, product_id: 21, price_id: null },
  ...{ created: '2025-01-01 10:05:00', expiration: '2025-04-01 10:05:00', bill_times: 3 },
  ...{ profile_id: '', ...fields },
});

const keyOf = (payment: number) => String(40 + payment).padStart(32, 'abcdef0123456789');

const license = (payment_id: number, fields: Row = {}): Row => ({
  ...{ id: 40 + payment_id, license_key: keyOf(payment_id), status: 'active', download_id: 21 },
  ...{ price_id: null, payment_id, cart_index: 0, date_created: '2025-01-01 10:05:00' },
  ...{ parent: 0, customer_id: 1, user_id: '0', expiration: 0, ...fields },
});

const course = download(21, 'course in three payments', {
  ...{ edd_price: '50', edd_recurring: 'yes', edd_period: 'month', edd_times: '3' },
  ...{ _edd_sl_enabled: '1', edd_sl_download_lifetime: '1', _edd_sl_limit: '1' },
});

/** A shop with a completed subscription (31), expired ones (32 to 34) and an unpaid one (35). */
async function opened(name: string, settings: Readonly<Record<string, string>>) {
  const path = dumpPath(`${name}.sql`);
  const renewal = { parent: 1, status: 'edd_subscription' };
  const edd_orders = [
    ...[placed(1, '2025-01-01'), placed(2, '2025-02-01', renewal)],
    ...[placed(3, '2025-03-01', renewal), placed(4, '2025-01-01'), placed(5, '2025-01-01')],
    ...[placed(6, '2025-01-01'), placed(7, '2025-01-01', { status: 'pending' })],
  ];
  const rows = {
    options: [...options, { option_name: 'edd_settings', option_value: serialize(settings) }],
    edd_orders,
    edd_order_items: edd_orders.map(({ id }) => item(Number(id), Number(id))),
    edd_subscriptions: [
      subscription(31, 1, { status: 'completed' }),
      ...[subscription(32, 4, { status: 'expired' }), subscription(33, 5, { status: 'expired' })],
      subscription(34, 6, { status: 'expired' }),
      subscription(35, 7, { status: 'pending' }),
    ],
    edd_licenses: [
      ...[license(1), license(4), license(6, { status: 'disabled' }), license(7)],
      license(5, { expiration: Date.parse('2099-01-01T00:00:00Z') / 1000 }),
    ],
  };
  writeDump(path, eddTables([course], rows));
  const shop = await moved(eddImporter, path);
  return { shop, fixture: await StoreFixture.open(shop.store) };
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function shown({ shop, fixture }: Opened, id: number) {
  const { status, end_date, renewable } = (await fixture.api.get(`/subscriptions/${id}`)).body.data;
  return { status, ends: end_date?.slice(0, 10) ?? null, renewable, reason: reasonOf(shop, id) };
}

const reasonOf = (shop: Moved, id: number) => shop.reported('subscriptions', id)?.reason;

/** The verdict about the licence of an order, and the reason in the report. */
async function judged({ shop, fixture }: Opened, payment: number) {
  const { body } = await fixture.api.post('/licenses/validate', { license: keyOf(payment) });
  return [body.code, shop.reported('licenses', 40 + payment)?.reason];
}

const ended = { status: 'cancelled', ends: '2025-04-01', renewable: false };
const kept = { status: 'active', ends: null, renewable: false, reason: 'paid-in-full' };
const expired = { status: 'expired', ends: '2025-04-01', renewable: true };

describe('In a shop whose downloads need no active subscription', () => {
  let store: Opened;
  beforeAll(async () => {
    store = await opened('unlimited', {});
  }, 60_000);

  test('a subscription with all its payments gives access for good, and its licence is valid', async () => {
    expect(await shown(store, 31)).toEqual(kept);
    expect(
      await store.shop.query('select status, end_active from access_grants where order_id = 1'),
    ).toEqual([{ status: 'active', end_active: null }]);
    expect(await judged(store, 1)).toEqual(['VALID', null]);
  });

  test('it is a payment plan without a payment that is due', async () => {
    const { data } = (await store.fixture.api.get('/subscriptions/31')).body;
    expect(data).toMatchObject({ payments: 3, paid: 3, next_due: null });
    const again = { product_id: 21, user_id: data.user_id, order_parent_id: 1 };
    expect((await store.fixture.api.post('/orders', again)).body.code).toBe('plan_complete');
  });

  test('access ends with an expired subscription, and the report says that downloads would go on', async () => {
    expect(await shown(store, 32)).toEqual({
      ...{ ...expired, reason: 'no-counterpart downloads-end' },
    });
  });

  test('a licence for life stays valid after its subscription, without its order', async () => {
    expect(await judged(store, 4)).toEqual(['VALID', 'for-life']);
  });

  test('a dated licence of an expired subscription waits for its renewal, and the report says so', async () => {
    expect(await judged(store, 5)).toEqual(['SUBSCRIPTION_INACTIVE', 'outlasts-subscription']);
  });

  test('a licence that is switched off or not paid stays with its order', async () => {
    expect(await judged(store, 6)).toEqual(['INACTIVE', null]);
    expect(await judged(store, 7)).toEqual(['ORDER_NOT_COMPLETED', null]);
    expect(reasonOf(store.shop, 35)).toBe('no-counterpart not-paid');
  });
});

describe('In a shop whose downloads need an active subscription', () => {
  test('access ends with the paid time, and a completed subscription cannot be renewed', async () => {
    const store = await opened('limited', { recurring_download_limit: '1' });
    expect(await shown(store, 31)).toEqual({ ...ended, reason: 'paid-until-end' });
    expect(await judged(store, 1)).toEqual(['VALID', 'for-life']);
    expect(await shown(store, 32)).toEqual({ ...expired, reason: 'no-counterpart' });
  }, 60_000);

  test('completed subscriptions give access for good if the shop treats them as active', async () => {
    const store = await opened('completed', {
      recurring_download_limit: '1',
      recurring_treat_completed_subs_as_active: '1',
    });
    expect(await shown(store, 31)).toEqual(kept);
    // A payment that the store refunds is due again.
    expect((await store.fixture.api.post('/orders/1/refunds', {})).status).toBe(201);
    const { data } = (await store.fixture.api.get('/subscriptions/31')).body;
    expect(data).toMatchObject({ payments: 3, paid: 2, renewable: true });
    await expectIntegrity({ store: store.shop.store });
  }, 60_000);
});
