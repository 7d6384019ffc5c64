import { beforeAll, expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { commission, order, sejoliTables, timeOf, user } from './shop.ts';

const { dumpPath, moved } = useMoves();

const open = { affiliate_id: 2, product_id: 103, grand_total: '120000.00', status: 'in-progress' };
const deleted_at = timeOf(30_000);

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const path = dumpPath('commissions.sql');
  writeDump(
    path,
    sejoliTables([user(1), user(2)], {
      sejolisa_orders: [
        ...[1, 2, 3].map((id) => order(id, open)),
        order(4, { ...open, status: 'cancelled' }),
        order(5, { ...open, status: 'cancelled' }),
        ...(['in-progress', 'shipping', 'completed'] as const).map((status, i) =>
          order(6 + i, { ...open, affiliate_id: null, payment_gateway: 'cod', status }),
        ),
        order(9, open),
      ],
      sejolisa_affiliates: [
        commission(1, { order_id: 1, affiliate_id: 2, status: 'cancelled' }),
        commission(2, { order_id: 2, affiliate_id: 2, status: 'pending', deleted_at }),
        commission(3, { order_id: 3, affiliate_id: 2, status: 'pending' }),
        commission(4, { order_id: 4, affiliate_id: 2, status: 'cancelled' }),
        commission(6, { order_id: 9, affiliate_id: 2, status: 'added' }),
        commission(5, { order_id: 5, affiliate_id: 2, status: 'cancelled', deleted_at }),
      ],
    }),
  );
  shop = await moved(sejoliImporter, path);
  fixture = await StoreFixture.open(shop.store);
});

test('A commission that was cancelled or deleted alone stays so when its imported order goes on', async () => {
  for (const id of [4, 5]) {
    expect((await fixture.api.patch(`/orders/${id}`, { status: 'on-hold' })).status).toBe(200);
  }
  for (const id of [1, 2, 3, 4, 5]) {
    const { status, body } = await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
    expect([status, body.data?.status]).toEqual([200, 'completed']);
  }
  expect(
    await shop.query('select order_id::int as order, status from commissions order by 1'),
  ).toEqual([
    { order: 1, status: 'cancelled' },
    { order: 2, status: 'cancelled' },
    { order: 3, status: 'added' },
    // The cancelled order took it away, and gives it back.
    { order: 4, status: 'added' },
    { order: 5, status: 'cancelled' },
    { order: 9, status: 'pending' },
  ]);
  expect(shop.reported('commissions', 6)?.reason).toContain('not-yet-due');
  const info = await fixture.api.get('/affiliates/2/commission-info');
  expect(info.body.data).toMatchObject({ unpaid_commission: 140_000 });
  await expectIntegrity(fixture);
});

test('An imported order on delivery is paid once it is completed, and is not refunded before', async () => {
  const states = async () =>
    shop.query(
      `select id::int, status, paid_at is not null as paid, refunded_total::int as refunded
         from orders where payment_gateway = 'cod' order by id`,
    );
  expect(await states()).toEqual([
    { id: 6, status: 'in-progress', paid: false, refunded: 0 },
    { id: 7, status: 'shipping', paid: false, refunded: 0 },
    { id: 8, status: 'completed', paid: true, refunded: 0 },
  ]);
  expect((await fixture.api.patch('/orders/6', { status: 'cancelled' })).status).toBe(200);
  expect((await fixture.api.patch('/orders/7', { status: 'completed' })).status).toBe(200);
  expect(await states()).toMatchObject([
    { status: 'cancelled', paid: false, refunded: 0 },
    { status: 'completed', paid: true },
    { paid: true },
  ]);
  await expectIntegrity(fixture);
});

test('The integrity check notices commissions that only a closed order may have cancelled', async () => {
  const damage = "update commissions set status = 'cancelled', cancellation = 'order' where id = 3";
  await expectNoticed(fixture, 'commissions that an open order cancelled', damage);
});
