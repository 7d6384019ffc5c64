import { beforeAll, expect, test } from 'vitest';
import { nothing, percentages, useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();
let first: number;
let second: number;

beforeAll(async () => {
  const { at } = stage;
  await at.fixture.set('timezone', 'Asia/Jakarta');
  const course = await at.newCourse({ tiers: percentages(20, 10), hold_days: 0 });
  const book = await at.newCourse({ tiers: percentages(5) });
  [first, second] = [course.id, book.id];
  for (let i = 0; i < 12; i++) {
    const order = await at.sell(i % 3 === 0 ? book : course);
    if (i % 2 === 0) await at.change(order, { status: 'completed' });
    if (i % 4 === 0) await at.refund(order, 30_000);
    if (i % 6 === 1) await at.change(order, { status: 'cancelled' });
    if (i === 6) await at.payOut(at.seller);
    at.fixture.store.clock.advance(3 * 3600);
  }
});

test('the total of every filter is the number of commissions it lists', async () => {
  const { api } = stage.at.fixture;
  const filters = [
    '',
    ...['pending', 'added', 'cancelled', 'paid', 'unpaid'].map((status) => `status=${status}`),
    `product_id=${first}`,
    `product_id=${second}&status=unpaid`,
    `affiliate_id=${stage.at.middle.id}`,
    `affiliate_id=${stage.at.seller.id}&status=paid`,
    `affiliate_id=${stage.at.seller.id}&product_id=${first}`,
    'date_start=2026-03-11',
    'date_end=2026-03-10&status=added',
    'date_start=2026-03-11&date_end=2026-03-11',
    'date_start=2026-03-10T20:00:00Z',
    'order_id=1',
  ];
  const all = (await api.get('/commissions?per_page=100')).body.data;
  expect(all.length).toBeGreaterThan(20);
  for (const filter of filters) {
    const { body, trips } = await api.get(`/commissions?per_page=100&${filter}`);
    expect(body.meta.pagination.total, filter).toBe(body.data.length);
    expect(trips).toBe(1);
    if (filter !== '') expect(body.data.length, filter).toBeLessThan(all.length);
    expect(body.data.length, filter).toBeGreaterThan(0);
  }
});

test('a filter by status lists the commissions that have it', async () => {
  const { api } = stage.at.fixture;
  const listed = async (status: string) => {
    const { body } = await api.get(`/commissions?per_page=100&status=${status}`);
    return body.data.map((row: { status: string; paid_status: boolean }) =>
      row.paid_status ? 'paid' : row.status,
    );
  };
  for (const status of ['pending', 'cancelled', 'paid']) {
    expect(new Set(await listed(status))).toEqual(new Set([status]));
  }
  expect(new Set(await listed('unpaid'))).toEqual(new Set(['added']));
  expect(new Set(await listed('added'))).toEqual(new Set(['added', 'paid']));
});

test('limit and offset take precedence over page and per_page', async () => {
  const { api } = stage.at.fixture;
  const all = (await api.get('/commissions?per_page=100')).body;
  const { body } = await api.get('/commissions?limit=3&offset=4&page=9&per_page=50');
  expect(body.data).toEqual(all.data.slice(4, 7));
  expect(body.meta.pagination).toEqual({
    page: 2,
    per_page: 3,
    total: all.data.length,
    total_pages: Math.ceil(all.data.length / 3),
  });
  const capped = await api.get('/commissions?limit=500');
  expect(capped.body.meta.pagination.per_page).toBe(100);
});

test.each([
  ['yesterday', 'must be a date (YYYY-MM-DD) or an RFC 3339 instant'],
  ['2026-02-30', 'must be a date (YYYY-MM-DD) or an RFC 3339 instant'],
  ['2026-02-01T00:00:00', 'must be a date (YYYY-MM-DD) or an RFC 3339 instant'],
  ['0000-01-01', 'must be in the years 1 to 9999'],
])('a date_start of %s is refused: it %s', async (date_start, reason) => {
  expect(await stage.at.fixture.api.get(`/commissions?date_start=${date_start}`)).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { date_start: reason } } },
  });
});

test('cursors lead through all commissions', async () => {
  const { api } = stage.at.fixture;
  const all = (await api.get('/commissions?per_page=100')).body.data;
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await api.get(`/commissions?per_page=7${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.meta.next_cursor;
  } while (cursor);
  expect(seen).toEqual(all);
});

test('a replay of the ledger results in every balance', async () => {
  const { at } = stage;
  for (const person of [at.seller, at.middle, at.top]) {
    const { body } = await at.fixture.api.get(
      `/commissions?per_page=100&affiliate_id=${person.id}`,
    );
    const replayed = { ...nothing };
    for (const { state, commission } of body.data) {
      if (state !== 'cancelled') replayed[state as keyof typeof nothing] += commission;
    }
    expect(await at.balances(person)).toEqual(replayed);
  }
});

test('an unknown commission is not found', async () => {
  const { api } = stage.at.fixture;
  const notFound = { status: 404, body: { code: 'rest_not_found' } };
  expect(await api.get('/commissions/999999')).toMatchObject(notFound);
  expect(await api.patch('/commissions/999999', { note: '' })).toMatchObject(notFound);
  expect(await api.delete('/commissions/999999')).toMatchObject(notFound);
});
