import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { AffiliateFigures } from '../../../src/domain/affiliate/figures.ts';
import type { Product } from '../../../src/domain/product/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import type * as z from 'zod';
import { runs } from '../../harness/long.ts';
import { day, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { Visits } from '../../harness/visits.ts';

const stage = useAffiliateStore();
type Figures = z.output<typeof AffiliateFigures>;

let affiliate: User;
let product: Product;
let visits: Visits;

beforeEach(async () => {
  const { at } = stage;
  at.fixture.store.clock.set('2026-05-10T03:00:00Z');
  affiliate = await at.fixture.newAffiliate();
  product = await at.newCourse();
  visits = new Visits(at.fixture, affiliate.id);
});

afterAll(() => expectIntegrity(stage.at.fixture));

async function figures(query: string, id = affiliate.id): Promise<Figures> {
  const { body, status, trips } = await stage.at.fixture.api.get(
    `/affiliates/${id}/figures?${query}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  expect(trips).toBe(1);
  return body.data;
}

const nothing = { clicks: 0, orders: 0, paid: 0, revenue: 0, commission: 0 };
const clicks = async (query = '') => (await figures(query)).totals.clicks;

describe('Clicks', () => {
  test('count once for a visitor, a link and a day, by the ref that the visitor comes with', async () => {
    const ref = await visits.follow(product, { ip: '1.1.1.1' });
    const next = await visits.follow(product, { ip: '2.2.2.2', ref });
    await visits.follow(product, { ip: '3.3.3.3', ref: next });
    expect(await clicks()).toBe(1);
    await visits.follow(product, { ip: '4.4.4.4', ref, target: 'checkout' });
    await visits.follow(product, { ip: '5.5.5.5', ref, sub: 'ig' });
    expect(await clicks()).toBe(3);
    stage.at.fixture.store.clock.advance(day);
    await visits.follow(product, { ip: '1.1.1.1', ref: next });
    expect((await figures('by=day')).rows).toEqual([
      { ...nothing, day: '2026-05-10', clicks: 3 },
      { ...nothing, day: '2026-05-11', clicks: 1 },
    ]);
  });

  test('count once for an address and a browser that come without a ref, or with an unknown one', async () => {
    for (const ref of [undefined, undefined, 'nobody-came-this-way'])
      await visits.follow(product, { ip: '1.1.1.1', ref });
    expect(await clicks()).toBe(1);
    await visits.follow(product, { ip: '1.1.1.2' });
    await visits.follow(product, { ip: '1.1.1.1', browser: 'Mozilla/5.0 Safari' });
    expect(await clicks()).toBe(3);
  });

  test("reveal neither a visitor's address nor their browser", async () => {
    await visits.follow(product, { ip: '9.8.7.6' });
    stage.at.fixture.store.clock.advance(day);
    await visits.follow(product, { ip: '9.8.7.6' });
    const { rows } = await stage.at.fixture.store.database.query<{ visitor: string }>(
      'select visitor from affiliate_clicks where affiliate_id = $1',
      [affiliate.id],
    );
    const [first, second] = rows.map(({ visitor }) => visitor);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
  });

  test('of crawlers, and on links of users who may not be affiliates, are not counted', async () => {
    await visits.follow(product, { browser: 'Googlebot/2.1' });
    const member = await stage.at.fixture.newUser();
    await new Visits(stage.at.fixture, member.id).follow(product);
    expect((await figures('')).rows).toEqual([]);
    expect((await figures('', member.id)).rows).toEqual([]);
  });

  test('stay in the figures after the visits are removed', async () => {
    await visits.follow(product, { sub: 'ig' });
    await stage.at.fixture.store.database.query(
      'delete from affiliate_clicks where affiliate_id = $1',
      [affiliate.id],
    );
    expect((await figures('by=sub')).rows).toEqual([{ ...nothing, sub: 'ig', clicks: 1 }]);
  });
});

describe('A campaign', () => {
  test.each(['ig', 'IG_story.05-a', 'x'.repeat(50)])('can be named %s', async (sub) => {
    await visits.follow(product, { sub });
    expect((await figures('by=sub')).rows).toEqual([{ ...nothing, sub, clicks: 1 }]);
  });

  test.each(['', 'x'.repeat(51), 'a b', '(other)', 'a/b', '<b>', 'é'])(
    'is ignored if a link names it %j: the visit counts without one, and is redirected',
    async (sub) => {
      expect(await visits.follow(product, { sub })).toMatch(/^[0-9A-Za-z]{20}$/);
      expect((await figures('by=sub')).rows).toEqual([{ ...nothing, sub: null, clicks: 1 }]);
    },
  );

  test('beyond 200 in a day is counted among the others, and under its name on the next day', async () => {
    await visits.fill(product, 199);
    for (const n of [199, 200, 201]) await visits.follow(product, { sub: `s${n}` });
    await visits.follow(product, { sub: 's7', target: 'checkout' });
    const { rows } = await figures('by=sub');
    expect(rows).toHaveLength(201);
    const of = (sub: string) => rows.find((row) => row.sub === sub)?.clicks;
    // The visits of one visitor to campaigns that are counted together count once.
    expect([of('s7'), of('s199'), of('s200'), of('(other)')]).toEqual([2, 1, undefined, 1]);
    stage.at.fixture.store.clock.advance(day);
    await visits.follow(product, { sub: 's201' });
    const next = await figures('by=sub&date_start=2026-05-11');
    expect(next.rows.map(({ sub }) => sub)).toEqual(['s201']);
  });
});

describe('Orders', () => {
  test('count on the day they were placed, for the page and the campaign that brought their buyer', async () => {
    const { at } = stage;
    const ref = await visits.follow(product, { sub: 'ig', target: 'checkout' });
    at.fixture.store.clock.advance(day);
    const order = await at.fixture.newOrder({ product_id: product.id, ref });
    expect(order.attribution).toEqual({
      ...{ affiliate_id: affiliate.id, source: 'link', target: 'checkout', sub: 'ig' },
    });
    expect((await figures('by=sub')).rows).toEqual([
      { ...nothing, sub: 'ig', clicks: 1, orders: 1 },
    ]);
    await at.change(order, { status: 'completed' });
    const sold = { orders: 1, paid: 1, revenue: 100_000, commission: 20_000 };
    expect((await figures('by=day')).rows).toEqual([
      { ...nothing, day: '2026-05-10', clicks: 1 },
      { ...sold, day: '2026-05-11', clicks: 0 },
    ]);
    expect((await figures('by=target')).rows).toEqual([{ ...sold, target: 'checkout', clicks: 1 }]);
    const title = product.title;
    expect((await figures('by=product')).rows).toEqual([
      { ...sold, product_id: product.id, title, clicks: 1 },
    ]);
    await at.refund(order, 40_000);
    const kept = { clicks: 1, orders: 1, paid: 1, revenue: 60_000, commission: 12_000 };
    expect((await figures('')).totals).toEqual(kept);
    await at.refund(order);
    expect((await figures('')).totals).toEqual({ ...nothing, clicks: 1, orders: 1 });
  });

  test('by a coupon, by name or by a sponsor have neither page nor campaign', async () => {
    const { at } = stage;
    const ref = await visits.follow(product, { sub: 'ig' });
    const order = await at.fixture.newOrder({
      ...{ product_id: product.id, ref, affiliate_id: affiliate.id },
    });
    expect(order.attribution).toMatchObject({ source: 'explicit', target: null, sub: null });
    const brought = await at.fixture.newUser({ affiliate_id: affiliate.id });
    await at.fixture.newOrder({ product_id: product.id, user_id: brought.id });
    for (const by of ['target', 'sub'] as const)
      expect((await figures(`by=${by}`)).rows).toContainEqual({
        ...nothing,
        [by]: null,
        orders: 2,
      });
  });

  test("follow a change of their affiliate, with the new one's commission", async () => {
    const { at } = stage;
    const ref = await visits.follow(product, { sub: 'ig' });
    const order = await at.fixture.newOrder({ product_id: product.id, ref, status: 'completed' });
    await at.change(order, { affiliate_id: at.seller.id });
    expect((await figures('by=sub')).rows).toEqual([{ ...nothing, sub: 'ig', clicks: 1 }]);
    const other = await figures(`by=sub&product_id=${product.id}`, at.seller.id);
    const sold = { ...nothing, orders: 1, paid: 1, revenue: 100_000, commission: 20_000 };
    expect(other.rows).toEqual([{ ...sold, sub: null }]);
  });

  test('leave the figures when a risk is confirmed, and come back with their link when it is cleared', async () => {
    const { at } = stage;
    const ref = await visits.follow(product, { sub: 'ig' });
    const buyer = await at.fixture.newUser({ phone: '+62 811 000 111' });
    await at.fixture.api.patch(`/users/${affiliate.id}`, { phone: '+62811000111' });
    const order = await at.fixture.newOrder({
      ...{ product_id: product.id, ref, user_id: buyer.id, status: 'completed' },
    });
    const { body } = await at.fixture.api.get(`/risks?affiliate_id=${affiliate.id}`);
    const decide = (decision: string) =>
      at.fixture.api.post(`/risks/${body.data[0].id}`, { decision });
    await decide('confirm');
    expect((await figures('by=sub')).rows).toEqual([{ ...nothing, sub: 'ig', clicks: 1 }]);
    await decide('clear');
    const [row] = (await figures('by=sub')).rows;
    expect(row).toMatchObject({ sub: 'ig', orders: 1, paid: 1, commission: 20_000 });
    await at.fixture.api.delete(`/orders/${order.id}`);
    expect((await figures('')).totals).toEqual({ ...nothing, clicks: 1 });
  });
});

describe('Figures', () => {
  test('cover the requested days and product', async () => {
    const { at } = stage;
    const other = await at.newCourse();
    await visits.follow(product);
    at.fixture.store.clock.advance(day);
    await visits.follow(other);
    expect(await clicks(`product_id=${other.id}`)).toBe(1);
    expect(await clicks('date_end=2026-05-10')).toBe(1);
    expect(await clicks('date_start=2026-05-10&date_end=2026-05-11')).toBe(2);
    expect(await clicks('date_start=2026-06-01')).toBe(0);
    for (const query of ['by=week', 'date_start=2026-05-10T00:00:00Z', 'product_id=x'])
      expect(
        (await at.fixture.api.get(`/affiliates/${affiliate.id}/figures?${query}`)).status,
      ).toBe(400);
    expect((await at.fixture.api.get('/affiliates/999999/figures')).status).toBe(404);
  });

  test('are shown to their affiliate, and to no other affiliate', async () => {
    const { at } = stage;
    await visits.follow(product, { sub: 'ig' });
    const own = await (await at.fixture.store.session(affiliate.id)).get('/me/figures?by=sub');
    expect(own.trips).toBe(1);
    expect(own.body.data).toEqual(await figures('by=sub'));
    const others = await at.fixture.store.session(at.middle.id);
    const { body } = await others.get(`/me/figures?by=sub&affiliate_id=${affiliate.id}`);
    expect(body.data).toMatchObject({ affiliate_id: at.middle.id, rows: [] });
  });

  test('are shown beside each link', async () => {
    const { at } = stage;
    const ref = await visits.follow(product, { target: 'checkout', sub: 'ig' });
    await visits.follow(product, { target: 'checkout', ref });
    await at.fixture.newOrder({ product_id: product.id, ref, status: 'completed' });
    const sold = { clicks: 2, orders: 1, paid: 1, revenue: 100_000, commission: 20_000 };
    for (const list of [
      await at.fixture.api.get(`/affiliates/${affiliate.id}/links?product_id=${product.id}`),
      await (await at.fixture.store.session(affiliate.id)).get('/me/links'),
    ]) {
      expect(list.trips).toBe(1);
      const its = list.body.data.filter((link: Link) => link.product_id === product.id);
      expect(its.find(({ key }: Link) => key === 'checkout')).toMatchObject(sold);
      expect(its.find(({ key }: Link) => key === 'sales-page')).toMatchObject(nothing);
    }
  });

  test('rank affiliates by clicks, and by the share of clicks that became orders', async () => {
    const { at } = stage;
    const rival = await at.fixture.newAffiliate();
    const theirs = new Visits(at.fixture, rival.id);
    const ref = await theirs.follow(product);
    await at.fixture.newOrder({ product_id: product.id, ref, status: 'completed' });
    // An order without a link is no conversion.
    await at.sell(product, { affiliate_id: rival.id, status: 'completed' });
    for (const ip of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) await visits.follow(product, { ip });
    const won = await visits.follow(product, { ip: '3.3.3.3', sub: 'b' });
    await at.fixture.newOrder({ product_id: product.id, ref: won, status: 'completed' });
    const board = async (query: string) => {
      const { body } = await at.fixture.api.get(
        `/affiliates/leaderboard?product_id=${product.id}&${query}`,
      );
      return body.data.map((place: Place) => [place.id, place.raw_total, place.total]);
    };
    for (const days of ['', 'date_start=2026-05-01&date_end=2026-05-31', 'date_end=2026-05-12']) {
      expect(await board(`calculate=clicks&${days}`)).toEqual([
        [affiliate.id, 4, '4'],
        [rival.id, 1, '1'],
      ]);
      expect(await board(`calculate=conversion&${days}`)).toEqual([
        [rival.id, 10_000, '100%'],
        [affiliate.id, 2500, '25%'],
      ]);
    }
    const { body } = await at.fixture.api.get(`/affiliates/leaderboard?product_id=${product.id}`);
    expect(body.data.find(({ id }: Place) => id === affiliate.id)).toMatchObject({
      ...{ clicks: 4, conversion: 25 },
    });
    const rank = await at.fixture.api.get(
      `/affiliates/${affiliate.id}/rank?calculate=conversion&product_id=${product.id}`,
    );
    expect(rank.body.data).toMatchObject({ rank: 2, total: '25%', next: { rank: 1, gap: 7500 } });
  });
});

type Link = { key: string; product_id: number };
type Place = { id: number; raw_total: number; total: string };

const choice = fc.nat(9);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('visit' as const),
    visitor: fc.nat(2),
    sub: fc.nat(3),
    page: fc.nat(1),
  }),
  fc.record({ kind: fc.constant('order' as const), visit: choice, isByLink: fc.boolean() }),
  fc.record({
    kind: fc.constant('move' as const),
    order: choice,
    status: fc.constantFrom('on-hold', 'in-progress', 'completed', 'cancelled', 'refunded'),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    order: choice,
    amount: fc.integer({ min: 1, max: 60_000 }),
  }),
  fc.record({
    kind: fc.constant('total' as const),
    order: choice,
    amount: fc.integer({ min: 1, max: 200_000 }),
  }),
  fc.record({ kind: fc.constant('commission' as const), order: choice, amount: fc.nat(50_000) }),
  fc.record({ kind: fc.constant('assign' as const), order: choice, isBack: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), order: choice }),
  fc.record({ kind: fc.constant('pay' as const) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);

test('After any sequence of visits, orders and changes the figures equal a recount', async () => {
  const { at } = stage;
  const { api, store } = at.fixture;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 35 }), async (steps) => {
      const seller = await at.fixture.newAffiliate();
      const mine = new Visits(at.fixture, seller.id);
      const refs: string[] = [];
      const orders: number[] = [];
      const seen = new Map<string, Set<string>>();
      for (const each of steps) {
        const today = store.clock.now().toISOString().slice(0, 10);
        const order = 'order' in each ? orders[each.order % orders.length] : undefined;
        if (each.kind === 'wait') store.clock.advance(day);
        if (each.kind === 'pay') await at.payOut(seller);
        if (each.kind === 'visit') {
          const sub = ['', 'a', 'b', 'not one!'][each.sub] ?? '';
          const target = each.page === 0 ? 'sales-page' : 'checkout';
          refs.push(await mine.follow(product, { ip: `7.7.7.${each.visitor}`, sub, target }));
          const key = `${today} ${sub === 'not one!' ? '' : sub} ${target}`;
          seen.set(key, (seen.get(key) ?? new Set()).add(String(each.visitor)));
        }
        if (each.kind === 'order') {
          const ref = each.isByLink ? refs[each.visit % refs.length] : undefined;
          const by = ref ? { ref } : { affiliate_id: seller.id };
          orders.push((await at.fixture.newOrder({ product_id: product.id, ...by })).id);
        }
        if (order === undefined) continue;
        if (each.kind === 'move') await api.patch(`/orders/${order}`, { status: each.status });
        if (each.kind === 'total')
          await api.patch(`/orders/${order}`, { grand_total: each.amount });
        if (each.kind === 'delete') await api.delete(`/orders/${order}`);
        if (each.kind === 'refund') {
          await api.post(`/orders/${order}/refunds`, { amount: each.amount, reason: 'Asked.' });
        }
        if (each.kind === 'assign') {
          const affiliate_id = each.isBack ? seller.id : at.seller.id;
          await api.patch(`/orders/${order}`, { affiliate_id });
        }
        if (each.kind === 'commission') {
          const [row] = await at.ledger({ id: order });
          if (row) await at.adjust(row, { commission: each.amount, reason: 'Agreed.' });
        }
      }
      await expectIntegrity(at.fixture);
      const { rows: kept } = await store.database.query<Order>(
        `select id::int, created_at::date::text as day, attribution ->> 'sub' as sub,
                attribution ->> 'target' as target, status, (grand_total - refunded_total)::int as net
           from orders where affiliate_id = $1 and deleted_at is null`,
        [seller.id],
      );
      const ledgers = await Promise.all(kept.map((order) => at.ledger(order)));
      const recount = (by: keyof Order, value: string | null) => {
        const placed = kept.flatMap((order, i) => (order[by] === value ? [{ order, i }] : []));
        const paid = placed.filter(({ order }) =>
          ['in-progress', 'completed'].includes(order.status),
        );
        const sum = (values: number[]) => values.reduce((total, each) => total + each, 0);
        return {
          clicks: sum(
            [...seen].flatMap(([key, visitors]) =>
              key.split(' ')[['day', 'sub', 'target'].indexOf(by)] === (value ?? '')
                ? [visitors.size]
                : [],
            ),
          ),
          orders: placed.length,
          paid: paid.length,
          revenue: sum(paid.map(({ order }) => order.net)),
          commission: sum(
            paid.flatMap(({ i }) =>
              (ledgers[i] ?? [])
                .filter((row) => row.affiliate_id === seller.id && row.state !== 'cancelled')
                .map((row) => row.commission),
            ),
          ),
        };
      };
      for (const by of ['day', 'sub', 'target'] as const) {
        const found = await figures(`by=${by}`, seller.id);
        const values = new Set([
          ...kept.map((order) => order[by]),
          ...[...seen.keys()].map(
            (key) => key.split(' ')[['day', 'sub', 'target'].indexOf(by)] || null,
          ),
        ]);
        expect(found.rows).toHaveLength(values.size);
        for (const row of found.rows)
          expect(row, by).toEqual({ [by]: row[by], ...recount(by, row[by] ?? null) });
      }
    }),
    { numRuns: runs(8) },
  );
}, 120_000);

interface Order {
  readonly id: number;
  readonly day: string;
  readonly sub: string | null;
  readonly target: string | null;
  readonly status: string;
  readonly net: number;
}
