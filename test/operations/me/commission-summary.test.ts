import { beforeAll, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';
import type { ApiClient } from '../../harness/client.ts';

const stage = useAffiliateStore();
let course: Product;
let book: Product;
let middle: ApiClient;

// In Jakarta it is the 10th until 17:00 UTC.
beforeAll(async () => {
  const { at } = stage;
  const { fixture } = at;
  await fixture.set('timezone', 'Asia/Jakarta');
  course = await at.newCourse({}, { title: 'Course' });
  book = await at.newCourse({}, { title: 'Book', price: 20_000 });
  await at.sell(course, { status: 'completed' });
  fixture.store.clock.set('2026-03-10T16:59:59.999Z');
  await at.sell(course, { affiliate_id: at.middle.id });
  fixture.store.clock.set('2026-03-10T17:00:00.000Z');
  await at.sell(book, { status: 'completed' });
  const cancelled = await at.sell(book);
  await at.change(cancelled, { status: 'cancelled' });
  middle = await fixture.store.session(at.middle.id);
});

const summary = async (query = '') => {
  const reply = await middle.get(`/me/commission-summary?${query}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body;
};

test("the commission summary has the user's earnings in all, by product, by tier and by day", async () => {
  const { at } = stage;
  const { data, meta } = await summary();
  const info = await at.fixture.api.get(`/affiliates/${at.middle.id}/commission-info`);
  expect(data).toEqual({
    ...info.body.data,
    by_product: [
      { product_id: course.id, title: 'Course', orders: 2, commission: 30_000 },
      { product_id: book.id, title: 'Book', orders: 1, commission: 2_000 },
    ],
    by_tier: [
      { tier: 1, orders: 1, commission: 20_000 },
      { tier: 2, orders: 2, commission: 12_000 },
    ],
    daily: [
      { date: '2026-03-10', orders: 2, commission: 30_000 },
      { date: '2026-03-11', orders: 1, commission: 2_000 },
    ],
  });
  expect(data).toMatchObject({ pending_commission: 20_000, unpaid_commission: 12_000, orders: 3 });
  expect(meta).toEqual({ effective_user_id: at.middle.id });
});

test("the commission summary takes days of the store's time zone, and nothing else", async () => {
  for (const query of ['date_start=2026-03-11', 'date_start=2026-03-11&date_end=2026-03-11']) {
    expect((await summary(query)).data).toMatchObject({
      ...{ total_commission: 2_000, held_commission: 2_000, orders: 1 },
      by_product: [{ product_id: book.id }],
      by_tier: [{ tier: 2, commission: 2_000 }],
      daily: [{ date: '2026-03-11', commission: 2_000 }],
    });
  }
  expect((await summary('date_end=2026-03-10')).data.total_commission).toBe(30_000);
  const empty = { total_commission: 0, by_product: [], by_tier: [], daily: [] };
  expect((await summary('date_end=2026-03-09')).data).toMatchObject(empty);
  const instant = await middle.get('/me/commission-summary?date_start=2026-03-10T17:00:00Z');
  expect(instant).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
});

test("the commission summary is that of the token's user, whatever id the query names", async () => {
  const { at } = stage;
  const expected = await summary();
  const asked = await summary(`affiliate_id=${at.seller.id}&user_id=${at.seller.id}`);
  expect(asked.data).toEqual(expected.data);
  const buyer = await at.fixture.store.session((await at.fixture.newUser()).id);
  const { body } = await buyer.get(`/me/commission-summary?affiliate_id=${at.seller.id}`);
  expect(body.data).toMatchObject({ total_commission: 0, orders: 0, by_product: [], daily: [] });
});

test('the commission summary of a range of days equals that of its instants', async () => {
  const { at } = stage;
  const days = await at.fixture.api.get(
    `/affiliates/${at.middle.id}/commission-info?date_start=2026-03-11&product_id=${book.id}`,
  );
  const instants = await at.fixture.api.get(
    `/affiliates/${at.middle.id}/commission-info?date_start=2026-03-10T17:00:00Z&product_id=${book.id}`,
  );
  expect(days.body.data.total_commission).toBe(2_000);
  expect(days.body.data).toEqual(instants.body.data);
});
