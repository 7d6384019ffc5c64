import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { openStore } from '../../harness/store.ts';
import { type Query, ids, listOrders } from './stage.ts';

describe.each([
  // A day of 23 hours, one of 25, and a zone whose days all have 24.
  ['America/New_York', '2026-03-07T03:00:00Z', ['2026-03-06', '2026-03-10']],
  ['America/New_York', '2026-10-31T02:00:00Z', ['2026-10-30', '2026-11-02']],
  ['Asia/Jakarta', '2026-03-07T15:00:00Z', ['2026-03-07', '2026-03-10']],
] as const)('In a store in %s from %s on', (zone, first, [from, to]) => {
  let fixture: StoreFixture;
  let placed: Order[] = [];

  beforeAll(async () => {
    const store = await openStore();
    fixture = await StoreFixture.open(store);
    await fixture.set('timezone', zone);
    const { id: product_id } = await fixture.newProduct();
    const { id: user_id } = await fixture.newUser();
    const minutes = (n: number) => new Date(Date.parse(first) + n * 60_000).toISOString();
    for (let n = 0; n < 24; n++) {
      store.clock.set(minutes(n * 161));
      placed.push(await fixture.newOrder({ product_id, user_id }));
    }
    // Includes the first and last moments of a day.
    for (const local of [`${from}T23:59:59.999`, `${to}T00:00:00.000`]) {
      const { rows } = await store.database.query<{ at: Date }>(
        `select $1::timestamp at time zone $2 as at`,
        [local, zone],
      );
      store.clock.set(rows[0]?.at.toISOString() ?? '');
      placed.push(await fixture.newOrder({ product_id, user_id }));
    }
  });
  afterAll(() => fixture.store.close());

  const dayOf = (at: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(at));
  const days = Array.from({ length: 5 }, (_, n) =>
    new Date(Date.parse(from) + (n - 1) * 86_400_000).toISOString().slice(0, 10),
  );

  const newestFirst = (a: Order, b: Order) =>
    b.created_at.localeCompare(a.created_at) || b.id - a.id;

  async function expectFound(query: Query, matches: (order: Order) => boolean) {
    const expected = ids(placed.filter(matches).toSorted(newestFirst));
    // Counted from the rollups, and with a search from the orders.
    for (const search of [undefined, 'INV-']) {
      const { data, meta } = await listOrders(fixture, { ...query, search, per_page: 100 });
      expect(ids(data), JSON.stringify(query)).toEqual(expected);
      expect(meta.pagination.total, JSON.stringify(query)).toBe(expected.length);
    }
  }

  test('a date is the whole day there', async () => {
    expect(new Set(placed.map(({ created_at }) => dayOf(created_at))).size).toBeGreaterThan(3);
    for (const [i, date_start] of days.entries()) {
      const started = ({ created_at }: Order) => dayOf(created_at) >= date_start;
      await expectFound({ date_start }, started);
      for (const date_end of days.slice(i)) {
        await expectFound(
          { date_start, date_end },
          (order) => started(order) && dayOf(order.created_at) <= date_end,
        );
      }
    }
  });

  test('a cursor leads through the days, newest or oldest first', async () => {
    const [date_start, date_end] = [days[1] ?? '', days[3] ?? ''];
    const within = ({ created_at }: Order) =>
      dayOf(created_at) >= date_start && dayOf(created_at) <= date_end;
    const newest = ids(placed.filter(within).toSorted(newestFirst));
    for (const sort of ['-id', 'id'] as const) {
      const walked: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { date_start, date_end, sort, per_page: 3, ...(cursor && { cursor }) };
        const { data, meta } = await listOrders(fixture, query);
        walked.push(...ids(data));
        cursor = meta.next_cursor;
      }
      expect(walked).toEqual(sort === 'id' ? newest.toReversed() : newest);
    }
  });

  test('an instant is that instant, whatever its offset, both ends included', async () => {
    const [start, end] = [placed[10]?.created_at ?? '', placed[17]?.created_at ?? ''];
    const between = ({ created_at }: Order) => created_at >= start && created_at <= end;
    await expectFound({ date_start: start, date_end: end }, between);
    const inTokyo = (at: string) =>
      new Date(Date.parse(at) + 9 * 3_600_000).toISOString().replace('Z', '+09:00');
    await expectFound({ date_start: inTokyo(start), date_end: inTokyo(end) }, between);
    const date_start = days[2] ?? '';
    await expectFound(
      { date_start, date_end: end },
      ({ created_at }) => dayOf(created_at) >= date_start && created_at <= end,
    );
  });
});
