import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { dayOf, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const next = '2100-01-31 08:00:00';
const end_date = '2100-01-31T08:00:00.000Z';

const bought = {
  ...{ customer: 3, total: '10.00', lines: [{ product: 502 }], paid: true, completed: true },
};

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const yearly = { products: [502], every: [1, 'year'] } as const;
  const meta = {
    ...{ _price: '10', _virtual: 'yes' },
    ...{ _subscription_period: 'year', _subscription_period_interval: '1' },
  };
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [{ id: 502, type: 'product', title: 'Club', meta }],
      types: { 502: 'subscription' },
      orders: [
        ...[10, 20, 30, 40, 50].map((id) => ({ ...bought, id })),
        { ...bought, id: 110, renews: 11 },
      ],
      subscriptions: [
        { id: 11, order: 10, ...yearly, next, status: 'wc-on-hold' },
        // Its payment failed.
        { id: 21, order: 20, ...yearly, next: dayOf(60), status: 'wc-on-hold' },
        { id: 31, order: 30, ...yearly, next, status: 'wc-pending' },
        { id: 41, order: 40, ...yearly, end: next, status: 'wc-cancelled' },
        { id: 51, order: 50, ...yearly, end: next, status: 'wc-switched' },
      ],
    },
    true,
  );
  writeDump(dumpPath('suspended.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('suspended.sql'));
  const [paused] = await shop.query<{ at: Date }>(
    'select coalesce(max(paused_at), now()) as at from subscriptions',
  );
  shop.store.clock.set(paused?.at.toISOString() ?? '');
  f = await StoreFixture.open(shop.store);
}, 60_000);

const read = async (id: number) => (await f.api.get(`/subscriptions/${id}`)).body.data;

/** Returns the ends of the present access. */
const access = async () => {
  const session = await shop.store.session(3);
  const { data } = (await session.get('/me/access')).body as {
    data: { status: string; end_active: string }[];
  };
  return data.flatMap((one) => (one.status === 'active' ? one.end_active : []));
};

describe('A subscription that gives no access in WooCommerce', () => {
  test('is paused if the shop suspended it, and none that is over gives any', async () => {
    const states = [11, 21, 31, 41, 51].map(async (id) => (await read(id)).status);
    expect(await Promise.all(states)).toEqual([
      ...['paused', 'expired', 'paused', 'cancelled', 'expired'],
    ]);
    expect(await access()).toEqual([]);
    expect(
      ['11', '11-110', '21', '31', '41', '51'].map(
        (id) => shop.reported('subscriptions', id)?.reason,
      ),
    ).toEqual(['suspended', null, null, 'suspended', 'term-stopped', 'term-stopped']);
  });

  test('gives access for the time that is left once the store resumes it', async () => {
    const resumed = await f.api.post('/subscriptions/11/resume', {});
    expect(resumed.body.data).toMatchObject({ status: 'active', end_date });
    expect(await access()).toEqual([end_date]);
    await expectIntegrity(f);
  });
});
