import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../src/lib/statuses.ts';
import { expectIntegrity, percentages, useAffiliateShop } from '../harness/affiliates.ts';

const stage = useAffiliateShop();
const zone = 'Asia/Jakarta';

let people: { id: number }[];
let administrator: number;
let products: number[];

beforeAll(async () => {
  const { shop, top, middle, seller, newCourse } = stage.at;
  await shop.set('timezone', zone);
  // In Jakarta the month is over two hours later.
  shop.store.clock.set('2026-03-31T15:00:00.000Z');
  const buyer = await shop.newUser({ affiliate_id: seller.id });
  people = [top, middle, seller, buyer];
  administrator = (await shop.newAdministrator()).id;
  const daily = { active: true, regular: { duration: 5, period: 'daily', price: 900 } };
  const license = { active: true, count: 1 };
  products = [
    (await newCourse({ hold_days: 1 }, { price: 1_999 })).id,
    (await newCourse({ tiers: percentages(30) }, { price: 700, subscription: daily, license })).id,
  ];
  await shop.api.post('/webhooks', { name: 'A', url: 'https://a.example/', events: ['*'] });
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

/** Makes a step happen, whether the service allows it or not. */
async function take(step: Step): Promise<void> {
  const { api, store } = stage.at.shop;
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
  const { api } = stage.at.shop;
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

interface OrderRow {
  id: number;
  user_id: number;
  affiliate_id: number | null;
  product_id: number;
  status: OrderStatus;
  quantity: number;
  grand_total: number;
  refunded_total: number;
  created_at: string;
}

interface CommissionRow {
  affiliate_id: number;
  product_id: number;
  tier: number;
  kind: string;
  status: string;
  commission: number;
  paid_at: string | null;
  hold_until: string | null;
  created_at: string;
}

/** The rows of a table that are not deleted, all of them. */
async function scan<T>(table: string): Promise<T[]> {
  const { rows } = await stage.at.shop.store.database.query<{ row: T }>(
    `select to_jsonb(t) as row from ${table} t where to_jsonb(t) ->> 'deleted_at' is null`,
  );
  return rows.map(({ row }) => row);
}

const dates = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
const dateOf = (instant: string | number | Date) => dates.format(new Date(instant));
const total = <T>(rows: readonly T[], figure: (row: T) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);
const isPaid = ({ status }: OrderRow) => ['in-progress', 'shipping', 'completed'].includes(status);
const net = (order: OrderRow) => order.grand_total - order.refunded_total;
const amount = ({ commission }: CommissionRow) => commission;
const isUnpaid = ({ status, paid_at }: CommissionRow) => status === 'added' && paid_at === null;

/** The blocks that both summaries have, from every order and commission there is. */
function blocks(sold: OrderRow[], earned: CommissionRow[], now: Date) {
  const today = dateOf(now);
  const period = (within: (date: string) => boolean) => {
    const placed = sold.filter(({ created_at }) => within(dateOf(created_at)));
    const sales = placed.filter(isPaid);
    const made = earned.filter(({ created_at, status }) => {
      return status !== 'cancelled' && within(dateOf(created_at));
    });
    const figures = { lead: placed.length, sales: sales.length, revenue: total(sales, net) };
    return { ...figures, commission: total(made, amount) };
  };
  const unpaid = earned.filter(isUnpaid);
  const held = unpaid.filter(({ hold_until }) => hold_until && new Date(hold_until) > now);
  return {
    currency: 'USD',
    timezone: zone,
    today: period((date) => date === today),
    yesterday: period((date) => date === dateOf(now.getTime() - 86_400_000)),
    this_month: period((date) => date.slice(0, 7) === today.slice(0, 7)),
    all: period(() => true),
    commission: {
      pending: total(
        earned.filter(({ status }) => status === 'pending'),
        amount,
      ),
      unpaid: total(unpaid, amount),
      paid: total(
        earned.filter(({ paid_at }) => paid_at !== null),
        amount,
      ),
      held: total(held, amount),
    },
  };
}

function inGroups(rows: OrderRow[]) {
  const count = (...statuses: OrderStatus[]) =>
    rows.filter(({ status }) => statuses.includes(status)).length;
  return {
    unpaid: count('on-hold', 'payment-confirm'),
    processing: count('in-progress', 'shipping'),
    completed: count('completed'),
  };
}

const newest = (rows: OrderRow[]) =>
  rows
    .map(({ id }) => id)
    .sort((a, b) => b - a)
    .slice(0, 5);

/** What some rows come to for each of them by a key, in a given order. */
const grouped = <T, K>(rows: readonly T[], key: (row: T) => K) => [...Map.groupBy(rows, key)];

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

interface Owned {
  user_id: number;
  product_id: number;
  status: string;
  start: string | null;
  end_active: string | null;
  end_date: string | null;
}

/** What a user has of access, subscriptions and licences; the store's own figures for everybody's. */
async function belongings(user_id: number | undefined, now: Date) {
  const owned = async (table: string) =>
    (await scan<Owned>(table)).filter((row) => user_id === undefined || row.user_id === user_id);
  const access = await owned('access_grants');
  const licenses = await owned('licenses');
  const live = access.filter(({ status, start, end_active }) => {
    const ended = end_active !== null && new Date(end_active) <= now;
    return status === 'active' && start !== null && new Date(start) <= now && !ended;
  });
  const running = (await owned('subscriptions')).filter(
    ({ status, end_date }) => status === 'active' && end_date && new Date(end_date) > now,
  );
  return {
    access_count:
      user_id === undefined
        ? access.length
        : new Set(live.map(({ product_id }) => product_id)).size,
    subscriptions: {
      active: running.length,
      expiring_7d: running.filter(
        ({ end_date }) => end_date && Date.parse(end_date) - now.getTime() <= 7 * 86_400_000,
      ).length,
    },
    licenses_count: licenses.filter(({ status }) => status === 'active').length,
  };
}

async function expectHome(all: OrderRow[], earned: CommissionRow[], now: Date): Promise<void> {
  const ranked = people.map(({ id }) => ({
    id,
    sold: all.filter((order) => order.affiliate_id === id && isPaid(order)).length,
  }));
  for (const { id } of people) {
    const app = await stage.at.shop.store.session(id);
    const reply = await app.get('/me/home-summary');
    const sold = all.filter(({ affiliate_id }) => affiliate_id === id);
    const bought = all.filter(({ user_id }) => user_id === id);
    const own = ranked.find((person) => person.id === id)?.sold ?? 0;
    const { recent_orders, ...figures } = reply.body.data;
    expect(figures).toEqual({
      ...blocks(
        sold,
        earned.filter(({ affiliate_id }) => affiliate_id === id),
        now,
      ),
      ...(await belongings(id, now)),
      orders: inGroups(bought),
      rank: own === 0 ? null : 1 + ranked.filter((person) => person.sold > own).length,
    });
    expect(ids(recent_orders)).toEqual(newest([...new Set([...sold, ...bought])]));
    expect(reply.trips).toBe(1);
  }
}

async function expectAdmin(all: OrderRow[], earned: CommissionRow[], now: Date): Promise<void> {
  const app = await stage.at.shop.store.session(administrator, { admin: true });
  const reply = await app.get('/me/admin-summary');
  const paid = all.filter(isPaid);
  const shared = blocks(all, earned, now);
  const last30 = Array.from({ length: 30 }, (_, i) =>
    dateOf(now.getTime() - (29 - i) * 86_400_000),
  );
  const on = (date: string) => paid.filter(({ created_at }) => dateOf(created_at) === date);
  const confirmations = await scan<{ status: string }>('confirmations');
  const { recent_orders, top_affiliates, top_products, ...figures } = reply.body.data;
  expect(figures).toEqual({
    ...shared,
    ...(await belongings(undefined, now)),
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

/** What rows earned, and of how many orders, unless that is nothing. */
const sums = (rows: CommissionRow[]) => ({
  orders: rows.filter(({ kind }) => kind === 'sale').length,
  commission: total(rows, amount),
});

const breakdown = <V>(rows: CommissionRow[], key: (row: CommissionRow) => V) =>
  grouped(rows, key)
    .map(([value, some]) => ({ value, ...sums(some) }))
    .filter(({ orders, commission }) => orders !== 0 || commission !== 0);

/** A breakdown as the service shows it, in the form above. */
const shown = (rows: Record<string, unknown>[], name: string) =>
  rows.map(({ [name]: value, orders, commission }) => ({ value, orders, commission }));

async function expectCommissions(earned: CommissionRow[], now: Date): Promise<void> {
  const day = dateOf(now.getTime() - 2 * 86_400_000);
  for (const { id } of people) {
    const app = await stage.at.shop.store.session(id);
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
      const { commission } = blocks([], rows, now);
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
  const { shop } = stage.at;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      for (const step of history) await take(step);
      const all = await scan<OrderRow>('orders');
      const earned = await scan<CommissionRow>('commissions');
      const now = shop.store.clock.now();
      await expectHome(all, earned, now);
      await expectAdmin(all, earned, now);
      await expectCommissions(earned, now);
      await expectIntegrity(shop);
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 120_000);
