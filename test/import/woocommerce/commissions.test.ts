import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { percentages } from '../../harness/affiliates.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const [seller, other] = [3, 4];

/** Above the price, so that the store's rules would never have given it. */
const unusual = { amount: '12.00' };

const orders = {
  refunded: { part: true, referral: {} },
  deleted: { part: true, referral: {} },
  assigned: { part: true, referral: {} },
  paid: { part: true, referral: { status: 'paid' } },
  kept: { part: true, referral: {} },
  unusual: { part: false, referral: unusual },
  unusualKept: { part: false, referral: unusual },
  open: { part: false, referral: {}, status: 'wc-processing' },
  unusualOpen: { part: false, referral: unusual, status: 'wc-processing' },
  rejected: { part: false, referral: { status: 'rejected' }, status: 'wc-cancelled' },
  failed: { part: false, referral: { status: 'failed' }, status: 'wc-cancelled' },
  rejectedOpen: { part: false, referral: { status: 'rejected' }, status: 'wc-processing' },
  paidOpen: { part: false, referral: { status: 'paid' }, status: 'wc-processing' },
} as const;

type Name = keyof typeof orders;

const idOf = (name: Name) => 10 * (1 + Object.keys(orders).indexOf(name));

const statusOf = (made: { readonly part: boolean; readonly status?: string }) =>
  made.status === undefined ? {} : { status: made.status, completed: false };

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const sold = { email: 'ada@people.example', total: '10.00', paid: true, completed: true };
  const affiliate = (id: number) =>
    cellsOf({ affiliate_id: id, user_id: id, status: 'active', rate: null });
  const names = Object.keys(orders) as Name[];
  const path = dumpPath('commissions.sql');
  writeDump(
    path,
    madeShop(
      {
        users: [
          { id: seller, email: 'seller@people.example' },
          { id: other, email: 'other@people.example' },
        ],
        orders: names.map((name) => ({
          ...sold,
          id: idOf(name),
          ...statusOf(orders[name]),
          ...(orders[name].part ? { refunds: [{ id: idOf(name) + 1, amount: '1.00' }] } : {}),
        })),
        more: {
          affiliate_wp_affiliates: [affiliate(seller), affiliate(other)],
          affiliate_wp_referrals: names.map((name) =>
            cellsOf({
              ...{ referral_id: idOf(name), reference: idOf(name), payout_id: 0, parent_id: 0 },
              ...{ affiliate_id: seller, status: 'unpaid', amount: '2.00', currency: 'EUR' },
              ...{ context: 'woocommerce', date: '2024-06-01 10:00:00' },
              ...orders[name].referral,
            }),
          ),
        },
      },
      true,
    ),
  );
  shop = await moved(woocommerceImporter, path);
  fixture = await StoreFixture.open(shop.store);
});

const commissionsOf = (name: Name) =>
  shop.query<{ affiliate: number; kind: string; amount: number; status: string }>(
    `select affiliate_id::int as affiliate, kind, commission::int as amount, status
       from commissions where order_id = $1 order by id`,
    [idOf(name)],
  );

const sale = { affiliate: seller, kind: 'sale', amount: 200, status: 'added' };
const manual = { affiliate: seller, kind: 'manual', amount: 1200, status: 'added' };

describe('An imported commission', () => {
  test('is a sale with its amount, also after a refund of a part', async () => {
    expect(await commissionsOf('kept')).toEqual([sale]);
    expect(shop.reported('commissions', idOf('kept'))?.reason).toBeNull();
  });

  test('is a manual amount if all of the price would not suffice', async () => {
    expect(await commissionsOf('unusualKept')).toEqual([manual]);
    expect(shop.reported('commissions', idOf('unusualKept'))?.reason).toBe('beside-the-rules');
  });

  test('is pending until its order is completed', async () => {
    expect(await commissionsOf('open')).toEqual([{ ...sale, status: 'pending' }]);
    expect(await commissionsOf('unusualOpen')).toEqual([{ ...manual, status: 'pending' }]);
    expect(await commissionsOf('paidOpen')).toEqual([sale]);
    expect(shop.reported('commissions', idOf('open'))?.reason).toBe('not-yet-due');
    expect(shop.reported('commissions', idOf('paidOpen'))?.reason).toBeNull();
    const path = `/orders/${idOf('open')}`;
    expect((await fixture.api.patch(path, { status: 'on-hold' })).status).toBe(200);
    expect(await commissionsOf('open')).toEqual([{ ...sale, status: 'pending' }]);
    for (const name of ['open', 'unusualOpen'] as const)
      await fixture.api.patch(`/orders/${idOf(name)}`, { status: 'completed' });
    expect(await commissionsOf('open')).toEqual([sale]);
    expect(await commissionsOf('unusualOpen')).toEqual([manual]);
    await expectIntegrity(fixture);
  });

  test('that was rejected returns with its order, unless the order went on without it', async () => {
    for (const name of ['rejected', 'failed'] as const)
      await fixture.api.patch(`/orders/${idOf(name)}`, { status: 'on-hold' });
    expect(await commissionsOf('rejected')).toEqual([{ ...sale, status: 'pending' }]);
    for (const name of ['rejected', 'failed', 'rejectedOpen'] as const)
      await fixture.api.patch(`/orders/${idOf(name)}`, { status: 'completed' });
    expect(await commissionsOf('rejected')).toEqual([sale]);
    for (const name of ['failed', 'rejectedOpen'] as const)
      expect(await commissionsOf(name)).toEqual([{ ...sale, status: 'cancelled' }]);
    await expectIntegrity(fixture);
  });

  test('is cancelled with its order, and deducted if it was paid', async () => {
    for (const name of ['refunded', 'paid', 'unusual'] as const)
      expect((await fixture.api.post(`/orders/${idOf(name)}/refunds`, {})).status).toBe(201);
    expect((await fixture.api.delete(`/orders/${idOf('deleted')}`)).status).toBe(200);
    const cancelled = { ...sale, status: 'cancelled' };
    expect(await commissionsOf('refunded')).toEqual([cancelled]);
    expect(await commissionsOf('deleted')).toEqual([cancelled]);
    expect(await commissionsOf('unusual')).toEqual([{ ...manual, status: 'cancelled' }]);
    expect(await commissionsOf('paid')).toEqual([
      sale,
      { ...sale, kind: 'refund-adjustment', amount: -200 },
    ]);
    await expectIntegrity(fixture);
  });

  test('is taken back when its order counts for another affiliate', async () => {
    const { product_id } = await fixture.order(idOf('assigned'));
    await fixture.api.patch(`/users/${other}`, { roles: ['affiliate'] });
    await fixture.api.patch(`/products/${product_id}`, {
      affiliate: { enabled: true, tiers: percentages(20), hold_days: 0 },
    });
    const path = `/orders/${idOf('assigned')}`;
    expect((await fixture.api.patch(path, { affiliate_id: other })).status).toBe(200);
    expect((await commissionsOf('assigned')).filter(({ status }) => status === 'added')).toEqual([
      { ...sale, affiliate: other },
      { ...sale, affiliate: other, kind: 'refund-adjustment', amount: -20 },
    ]);
    await expectIntegrity(fixture);
  });
});

test('The integrity check notices manual commissions that a former version left to closed and reopened orders', async () => {
  const left = `update orders set refunded_at = now() where id = ${idOf('unusual')};
    update commissions set status = 'added', cancellation = null where order_id = ${idOf('unusual')}`;
  await expectNoticed(
    fixture,
    'manual commissions whose order was closed or completed without them',
    left,
  );
  const taken = `update commissions set status = 'cancelled', cancellation = 'order' where order_id = ${idOf('unusualKept')}`;
  await expectNoticed(fixture, 'commissions that an open order cancelled', taken);
});
