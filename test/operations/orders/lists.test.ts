import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { type Query, ids, listOrders } from './stage.ts';

const opened = useStoreFixture();

const list = (query: Query) => listOrders(opened.fixture, query);

const people = [
  { display_name: 'Ana Wijaya', email: 'ana@mail.example', phone: '0812-111' },
  { display_name: '50% off_club', email: 'club_50@mail.example' },
  { display_name: 'Back\\slash', email: 'b@other.example' },
  { display_name: 'İlker Ünal', email: 'ilker@other.example' },
];
let buyers: User[] = [];
let orders: Order[] = [];

beforeAll(async () => {
  const { fixture } = opened;
  buyers = await Promise.all(people.map((person) => fixture.newUser(person)));
  const affiliates = [await fixture.newAffiliate(), await fixture.newAffiliate()];
  const affiliate = { enabled: true };
  const products = [
    await fixture.newProduct({ affiliate }),
    await fixture.newProduct({ affiliate }),
  ];
  const statuses = ['on-hold', 'payment-confirm', 'in-progress', 'completed', 'cancelled'];
  for (let n = 0; n < 60; n++) {
    fixture.store.clock.advance(5 * 3600 + 7 * 60);
    orders.unshift(
      await fixture.newOrder({
        product_id: products[n % 2]?.id ?? 0,
        user_id: buyers[(n * 7) % 4]?.id ?? 0,
        status: statuses[(n * 3) % 5],
        ...(n % 3 > 0 && { affiliate_id: affiliates[(n % 3) - 1]?.id }),
      }),
    );
  }
});

/** Tells if a search finds an order, by the documentation. */
function isFound({ id, number, user_id }: Order, words: string): boolean {
  const buyer = buyers.find((user) => user.id === user_id);
  const contains = (text = '') => text.toLowerCase().includes(words.toLowerCase());
  if (words.length < 3) return String(id) === words || number.toLowerCase() === words.toLowerCase();
  return [number, buyer?.display_name, buyer?.email, buyer?.phone].some(contains);
}

function matching(query: Query): Order[] {
  const { status, user_id, product_id, affiliate_id, search, date_start, date_end, sort } = query;
  const found = orders.filter(
    (order) =>
      (status === undefined || order.status === status) &&
      (user_id === undefined || order.user_id === user_id) &&
      (product_id === undefined || order.product_id === product_id) &&
      (affiliate_id === undefined || order.affiliate_id === affiliate_id) &&
      (search === undefined || isFound(order, String(search))) &&
      (date_start === undefined || order.created_at >= String(date_start)) &&
      (date_end === undefined || order.created_at <= `${date_end}T24`),
  );
  return sort === 'id' ? found.toReversed() : found;
}

const day = fc.integer({ min: 8, max: 24 }).map((n) => `2026-03-${String(n).padStart(2, '0')}`);
const oneOf = (pick: (order: Order) => number | null) =>
  fc.nat(59).map((n) => {
    const order = orders[n];
    return (order && pick(order)) ?? undefined;
  });
const words = ['ana', 'ANA WI', '0% off_', '%', '50%', '_club', '\\sl', 'mail.ex', 'inv-00', '3'];
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const anyQuery = fc
  .record({
    status: maybe(fc.constantFrom('on-hold', 'completed', 'cancelled', 'refunded')),
    user_id: maybe(oneOf((order) => order.user_id)),
    product_id: maybe(oneOf((order) => order.product_id)),
    affiliate_id: maybe(oneOf((order) => order.affiliate_id)),
    search: maybe(fc.constantFrom(...words)),
    date_start: maybe(day),
    date_end: maybe(day),
    sort: maybe(fc.constantFrom('id', '-id')),
  })
  .filter(({ date_start = '', date_end = '9' }) => date_start <= date_end);

describe('A list of orders', () => {
  test('is newest first, 25 a page, with the exact number of all', async () => {
    const { data, meta } = await list({});
    expect(data).toEqual(orders.slice(0, 25));
    expect(meta).toEqual({
      pagination: { page: 1, per_page: 25, total: 60, total_pages: 3 },
      next_cursor: expect.any(String),
      next_updated_since: expect.any(String),
    });
    const last = await list({ page: 3 });
    expect(last.data).toEqual(orders.slice(50));
    expect(last.meta.next_cursor).toBeNull();
    const beyond = await list({ page: 4 });
    expect(beyond).toMatchObject({ data: [], meta: { pagination: { page: 4, total: 60 } } });
  });

  test('takes pages of 1 to 100, and cuts larger ones', async () => {
    const cut = await list({ per_page: 1000 });
    expect(cut.meta.pagination).toEqual({ page: 1, per_page: 100, total: 60, total_pages: 1 });
    expect(cut.data).toHaveLength(60);
    expect((await list({ per_page: 1, page: 2 })).data).toEqual(orders.slice(1, 2));
    for (const query of ['per_page=0', 'per_page=-1', 'page=0', 'page=1.5', 'page=1e3', 'page=x']) {
      const reply = await opened.fixture.api.get(`/orders?${query}`);
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
  });

  test('finds by any combination of filters exactly the orders that match', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.integer({ min: 1, max: 30 }), async (query, per_page) => {
        const expected = matching(query);
        const { data, meta } = await list({ ...query, per_page });
        expect(data).toEqual(expected.slice(0, per_page));
        const total = expected.length;
        const total_pages = Math.ceil(total / per_page);
        expect(meta.pagination).toEqual({ page: 1, per_page, total, total_pages });
      }),
      { numRuns: 60 },
    );
  });

  test('treats an empty value as absent', async () => {
    const names = ['status', 'user_id', 'search', 'date_start', 'cursor', 'sort', 'page', 'output'];
    const query = Object.fromEntries(names.map((name) => [name, '']));
    expect((await list(query)).data).toEqual(orders.slice(0, 25));
  });

  test('refuses invalid values of a filter', async () => {
    const wrong = [
      'status=paid',
      'user_id=0',
      'user_id=-1',
      'product_id=1e3',
      'affiliate_id=9999999999999999',
      'cursor=abc',
      'cursor=aWQ6LTE',
      'sort=created_at',
      'date_start=2026-02-30',
      'date_start=0000-01-01',
      'date_end=yesterday',
      'date_end=0001-01-01T00:00:00%2B01:00',
      'date_end=9999-12-31T23:59:59-01:00',
      'search=%00',
      `search=${'x'.repeat(201)}`,
    ];
    for (const query of wrong) {
      const reply = await opened.fixture.api.get(`/orders?${query}`);
      expect(reply, query).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params)).toEqual([query.split('=')[0]]);
    }
  });
});

test('any wrong date is refused with the formats that a date can have', async () => {
  const reason = 'must be a date (YYYY-MM-DD)';
  for (const date of ['abc', '2026-02-30', '10000-01-01']) {
    const wrong = await opened.fixture.api.get(`/orders?date_start=${date}`);
    expect(wrong.body.data.params, date).toEqual({
      date_start: `${reason} or an RFC 3339 instant`,
    });
    const day = await opened.fixture.api.get(`/affiliates/leaderboard?date_end=${date}`);
    expect(day.body.data.params, date).toEqual({ date_end: reason });
  }
});

describe('A search', () => {
  test.each([
    ['an id', '7'],
    ['a whole number', 'inv-000012'],
    ['a part of a number', 'NV-00003'],
    ['a name in any case', 'WIJAYA'],
    ['a name across its words', 'ana wij'],
    ['an e-mail address', 'club_50@mail'],
    ['a literal percent sign', '0% o'],
    ['a literal underscore', 'f_c'],
    ['a literal backslash', 'k\\s'],
    ['a letter that two alphabets make small in two ways', 'İlker'],
  ])('for %s finds the orders that contain it', async (_, search) => {
    const found = ids(matching({ search }));
    expect(ids((await list({ search, per_page: 100 })).data)).toEqual(found);
    expect(found).not.toHaveLength(0);
  });

  test('for a whole e-mail address finds only the orders of that buyer', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ price: 0 });
    const place = async (email: string) =>
      fixture.newOrder({ product_id, user_id: (await fixture.newUser({ email })).id });
    const longer = await place('robbo@sea.example');
    const named = await place('bo@sea.example');
    const found = async (search: string) => ids((await list({ search })).data);
    expect(await found('bo@sea')).toEqual([named.id, longer.id]);
    expect(await found('BO@sea.example')).toEqual([named.id]);
    for (const { id } of [longer, named]) await fixture.api.delete(`/orders/${id}`);
  });

  test('of fewer than three characters looks for a whole id or number only', async () => {
    for (const search of ['an', '5', '0%', 'IN', '99', '%%']) {
      expect(ids((await list({ search })).data)).toEqual(ids(matching({ search })));
    }
  });
});

describe('A cursor', () => {
  /** The ids of all pages, while orders are placed between them. */
  async function walk(query: Query, between: () => Promise<unknown> = async () => {}) {
    const seen: number[] = [];
    let { data, meta } = await list({ ...query, per_page: 7 });
    for (;;) {
      seen.push(...ids(data));
      if (meta.next_cursor === null) return seen;
      await between();
      ({ data, meta } = await list({ ...query, per_page: 7, cursor: meta.next_cursor }));
      expect(meta).not.toHaveProperty('pagination');
    }
  }

  test.each([{}, { sort: 'id' }, { status: 'completed' }, { search: 'ana', sort: 'id' }])(
    'reads the same orders as the pages do, with %o',
    async (query) => {
      const pages: number[] = [];
      for (let page = 1; pages.length < matching(query).length; page++) {
        pages.push(...ids((await list({ ...query, per_page: 7, page })).data));
      }
      expect(pages).toEqual(ids(matching(query)));
      expect(await walk(query)).toEqual(pages);
    },
  );

  test('neither repeats nor skips an order when others are placed meanwhile', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const place = async () => {
      orders.unshift(await fixture.newOrder({ product_id, user_id: buyers[0]?.id ?? 0 }));
    };
    const before = ids(orders);
    expect(await walk({}, place)).toEqual(before);
    let placed = 0;
    const oldestFirst = await walk({ sort: 'id' }, async () => {
      if (placed++ < 3) await place();
    });
    expect(oldestFirst).toEqual(ids(orders).toReversed());
  });
});
