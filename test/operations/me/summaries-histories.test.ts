import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../../src/schema/lists.ts';
import { runs } from '../../harness/long.ts';
import { percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import {
  type CommissionRow,
  type OrderRow,
  amount,
  belongings,
  blocks,
  dateOf,
  grouped,
  ids,
  inGroups,
  isPaid,
  net,
  newest,
  scan,
  total,
  zone,
} from '../../harness/scan.ts';

const stage = useAffiliateStore();

let people: { id: number }[];
let administrator: number;
let products: number[];

beforeAll(async () => {
  const { fixture, top, middle, seller, newCourse } = stage.at;
  await fixture.set('timezone', zone);
  // In Jakarta the month ends two hours later.
  fixture.store.clock.set('2026-03-31T15:00:00.000Z');
  const buyer = await fixture.newUser({ affiliate_id: seller.id });
  people = [top, middle, seller, buyer];
  administrator = (await fixture.newAdministrator()).id;
  const daily = { active: true, regular: { duration: 5, period: 'daily', price: 900 } };
  const license = { active: true, count: 1 };
  products = [
    (await newCourse({ hold_days: 1 }, { price: 1_999 })).id,
    (await newCourse({ tiers: percentages(30) }, { price: 700, subscription: daily, license })).id,
  ];
  await fixture.api.post('/webhooks', { name: 'A', url: 'https://a.example/', events: ['*'] });
});

const n = fc.nat(30);
const of = <const K extends string, T extends object>(kind: K, fields: fc.Arbitrary<T>) =>
  fields.map((some) => ({ kind, ...some }));

const place = of(
  'place',
  fc.record({ product: fc.nat(1), buyer: n, seller: n, quantity: fc.integer({ min: 1, max: 3 }) }),
);
const to = (...statuses: OrderStatus[]) => fc.constantFrom(...statuses);
const move = of('move', fc.record({ order: n, status: to(...orderStatuses) }));
const complete = of('move', fc.record({ order: n, status: to('completed') }));
const refund = of('refund', fc.record({ order: n, share: fc.integer({ min: 1, max: 100 }) }));
const confirm = of('confirm', fc.record({ order: n }));
const assign = of('assign', fc.record({ order: n, seller: n }));
const remove = of('remove', fc.record({ order: n }));
const payOut = of('payOut', fc.record({ seller: n }));
const wait = of('wait', fc.record({ minutes: fc.integer({ min: 1, max: 900 }) }));
const step = fc.oneof(
  ...[place, place, place, complete, complete, move, refund, confirm, assign],
  ...[remove, payOut, wait, wait],
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const orders: number[] = [];
const pick = <T>(list: readonly T[], index: number) => list[index % Math.max(1, list.length)];

/** Makes a step, allowed or not. */
async function take(step: Step): Promise<void> {
  const { api, store } = stage.at.fixture;
  const seller = 'seller' in step ? pick(people.slice(0, 3), step.seller)?.id : undefined;
  const order = 'order' in step ? pick(orders, step.order) : undefined;
  if (step.kind === 'wait') store.clock.advance(60 * step.minutes);
  else if (step.kind === 'payOut') {
    await api.post('/payouts', { affiliate_id: seller, method: 'BCA', reference: 'TRX' });
  } else if (step.kind === 'place') {
    const { body } = await api.post('/orders', {
      product_id: pick(products, step.product),
      user_id: pick(people, step.buyer)?.id,
      quantity: step.quantity,
      affiliate_id: seller,
    });
    if (body.success) orders.push(body.data.id);
  } else if (order !== undefined) await change(order, step, seller);
}

async function change(order: number, step: Step, affiliate_id: number | undefined) {
  const { api } = stage.at.fixture;
  if (step.kind === 'move') await api.patch(`/orders/${order}`, { status: step.status });
  if (step.kind === 'assign') await api.patch(`/orders/${order}`, { affiliate_id });
  if (step.kind === 'remove') await api.delete(`/orders/${order}`);
  if (step.kind === 'confirm') await api.post(`/orders/${order}/confirmations`, {});
  if (step.kind === 'refund') {
    const { body } = await api.get(`/orders/${order}`);
    const amount = Math.ceil(((body.data?.grand_total ?? 0) * step.share) / 100);
    if (amount > 0) await api.post(`/orders/${order}/refunds`, { amount, reason: 'Asked.' });
  }
}

async function expectHome(all: OrderRow[], earned: CommissionRow[], now: Date): Promise<void> {
  const ranked = people.map(({ id }) => ({
    id,
    sold: all.filter((order) => order.affiliate_id === id && isPaid(order)).length,
  }));
  for (const { id } of people) {
    const app = await stage.at.fixture.store.session(id);
    const reply = await app.get('/me/home-summary');
    const sold = all.filter(({ affiliate_id }) => affiliate_id === id);
    const bought = all.filter(({ user_id }) => user_id === id);
    const own = ranked.find((person) => person.id === id)?.sold ?? 0;
    const { recent_orders, ...figures } = reply.body.data;
    expect(figures).toEqual({
      ...blocks(
        all,
        sold,
        earned.filter(({ affiliate_id }) => affiliate_id === id),
        now,
      ),
      ...(await belongings(stage.at.fixture, id, now)),
      orders: inGroups(bought),
      rank: own === 0 ? null : 1 + ranked.filter((person) => person.sold > own).length,
    });
    expect(ids(recent_orders)).toEqual(newest([...new Set([...sold, ...bought])]));
    expect(reply.trips).toBe(1);
  }
}

async function expectAdmin(all: OrderRow[], earned: CommissionRow[], now: Date): Promise<void> {
  const app = await stage.at.fixture.store.session(administrator, { admin: true });
  const reply = await app.get('/me/admin-summary');
  const paid = all.filter(isPaid);
  const shared = blocks(all, all, earned, now);
  const last30 = Array.from({ length: 30 }, (_, i) =>
    dateOf(now.getTime() - (29 - i) * 86_400_000),
  );
  const on = (date: string) => paid.filter(({ created_at }) => dateOf(created_at) === date);
  const confirmations = await scan<{ status: string }>(stage.at.fixture, 'confirmations');
  const { recent_orders, top_affiliates, top_products, ...figures } = reply.body.data;
  expect(figures).toEqual({
    ...shared,
    ...(await belongings(stage.at.fixture, undefined, now)),
    orders: inGroups(all),
    orders_by_status: Object.fromEntries(
      orderStatuses.map((name) => [name, all.filter(({ status }) => status === name).length]),
    ),
    confirmations_pending: confirmations.filter(({ status }) => status === 'pending').length,
    payouts_due: shared.commission.unpaid - shared.commission.held,
    webhooks_paused: 0,
    chart: {
      labels: last30,
      quantity: last30.map((date) => total(on(date), ({ quantity }) => quantity)),
      revenue: last30.map((date) => total(on(date), net)),
    },
  });
  expect(ids(recent_orders)).toEqual(newest(all));
  expect(top_products.map(({ title: _title, ...product }: { title: string }) => product)).toEqual(
    grouped(paid, ({ product_id }) => product_id)
      .map(([product_id, rows]) => ({
        ...{ product_id, orders: rows.length, revenue: total(rows, net) },
        quantity: total(rows, ({ quantity }) => quantity),
      }))
      .sort((a, b) => b.revenue - a.revenue || a.product_id - b.product_id),
  );
  const sellers = grouped(
    paid.filter(({ affiliate_id }) => affiliate_id !== null),
    ({ affiliate_id }) => affiliate_id ?? 0,
  );
  expect(
    top_affiliates.map(({ id, raw_total }: { id: number; raw_total: number }) => [id, raw_total]),
  ).toEqual(
    sellers
      .map(([id, rows]): [number, number] => [id, total(rows, net)])
      .filter(([, revenue]) => revenue > 0)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0]),
  );
  expect(reply.trips).toBe(1);
}

const sums = (rows: CommissionRow[]) => ({
  orders: rows.filter(({ kind }) => kind === 'sale').length,
  commission: total(rows, amount),
});

const breakdown = <V>(rows: CommissionRow[], key: (row: CommissionRow) => V) =>
  grouped(rows, key)
    .map(([value, some]) => ({ value, ...sums(some) }))
    .filter(({ orders, commission }) => orders !== 0 || commission !== 0);

/** A breakdown of the service, in the form above. */
const shown = (rows: Record<string, unknown>[], name: string) =>
  rows.map(({ [name]: value, orders, commission }) => ({ value, orders, commission }));

async function expectCommissions(earned: CommissionRow[], now: Date): Promise<void> {
  const day = dateOf(now.getTime() - 2 * 86_400_000);
  for (const { id } of people) {
    const app = await stage.at.fixture.store.session(id);
    for (const [from, until] of [
      ['', ''],
      [day, ''],
      ['', day],
      ['2026-04-01', '2026-04-30'],
    ] as const) {
      const rows = earned.filter(({ affiliate_id, created_at }) => {
        const date = dateOf(created_at);
        return affiliate_id === id && date >= from && date <= (until || '9999');
      });
      const counted = rows.filter(({ status }) => status !== 'cancelled');
      const { commission } = blocks([], [], rows, now);
      const { body, trips } = await app.get(
        `/me/commission-summary?date_start=${from}&date_end=${until}`,
      );
      expect(body.data).toMatchObject({
        pending_commission: commission.pending,
        unpaid_commission: commission.unpaid,
        paid_commission: commission.paid,
        held_commission: commission.held,
        payable_commission: commission.unpaid - commission.held,
        total_commission: total(counted, amount),
        orders: sums(counted).orders,
      });
      expect(shown(body.data.daily, 'date')).toEqual(
        breakdown(counted, ({ created_at }) => dateOf(created_at)).sort((a, b) =>
          a.value < b.value ? -1 : 1,
        ),
      );
      expect(shown(body.data.by_tier, 'tier')).toEqual(
        breakdown(counted, ({ tier }) => tier).sort((a, b) => a.value - b.value),
      );
      expect(shown(body.data.by_product, 'product_id')).toEqual(
        breakdown(counted, ({ product_id }) => product_id).sort(
          (a, b) => b.commission - a.commission || a.value - b.value,
        ),
      );
      expect(trips).toBe(1);
    }
  }
}

test('after any history every figure of the summaries equals a full scan', async () => {
  const histories = fc.array(step, { minLength: 6, maxLength: 18 });
  const { fixture } = stage.at;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      for (const step of history) await take(step);
      const all = await scan<OrderRow>(stage.at.fixture, 'orders');
      const earned = await scan<CommissionRow>(stage.at.fixture, 'commissions');
      const now = fixture.store.clock.now();
      await expectHome(all, earned, now);
      await expectAdmin(all, earned, now);
      await expectCommissions(earned, now);
      await expectIntegrity(fixture);
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
}, 120_000);
