import { beforeAll, describe, expect, test } from 'vitest';
import { useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();

const get = (path: string) => stage.at.fixture.api.get(`/affiliates/${path}`);

describe('Rankings', () => {
  let people: number[];
  let products: number[];

  beforeAll(async () => {
    const { at } = stage;
    await at.fixture.set('currency_exponent', 2);
    at.fixture.store.clock.set('2026-05-31T23:00:00Z');
    const names = ['Ana', 'Ben', 'Cid', 'Dan'];
    people = [];
    for (const display_name of names)
      people.push((await at.fixture.newAffiliate({ display_name })).id);
    products = [(await at.newCourse()).id, (await at.newCourse({}, { price: 30_000 })).id];
    const [ana, ben, cid] = people;
    const sell = async (affiliate_id: number | undefined, product: number, more: object = {}) => {
      const product_id = products[product] ?? 0;
      const order = await at.fixture.newOrder({ product_id, affiliate_id, ...more });
      await at.change(order, { status: 'completed' });
      return order;
    };
    await sell(ana, 0);
    await sell(ben, 0);
    at.fixture.store.clock.advance(86_400);
    await sell(ana, 1, { quantity: 5 });
    await sell(ben, 1);
    await at.refund(await sell(cid, 0), 40_000);
    // Orders that are unpaid, cancelled or refunded in full don't count.
    await at.fixture.newOrder({ product_id: products[0] ?? 0, affiliate_id: cid });
    await at.refund(await sell(cid, 0));
  });

  const board = async (query: string) => {
    const { body, trips } = await get(`leaderboard?${query}`);
    expect(trips).toBe(1);
    return body.data.map((place: { rank: number; name: string; raw_total: number }) => [
      ...[place.rank, place.name, place.raw_total],
    ]);
  };

  test('count orders, totals, items or revenue; equal results share a rank', async () => {
    expect(await board('')).toEqual([
      [1, 'Ana', 2],
      [1, 'Ben', 2],
      [3, 'Cid', 1],
    ]);
    expect(await board('calculate=quantity')).toEqual([
      [1, 'Ana', 6],
      [2, 'Ben', 2],
      [3, 'Cid', 1],
    ]);
    expect(await board('calculate=total')).toEqual([
      [1, 'Ana', 250_000],
      [2, 'Ben', 130_000],
      [3, 'Cid', 100_000],
    ]);
    expect(await board('calculate=revenue&limit=2')).toEqual([
      [1, 'Ana', 250_000],
      [2, 'Ben', 130_000],
    ]);
    expect((await board('calculate=revenue'))[2]).toEqual([3, 'Cid', 60_000]);
  });

  test('are of a product, of whole months or of any days', async () => {
    expect(await board(`product_id=${products[1]}&calculate=quantity`)).toEqual([
      [1, 'Ana', 5],
      [2, 'Ben', 1],
    ]);
    const may = [
      [1, 'Ana', 1],
      [1, 'Ben', 1],
    ];
    const june = [...may, [1, 'Cid', 1]];
    expect(await board('date_start=2026-05-01&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-06-01')).toEqual(june);
    expect(await board('date_start=2026-05-02&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-06-01&date_end=2026-06-01')).toEqual(june);
    expect(await board('date_start=2026-05-31&date_end=2026-06-01')).toHaveLength(3);
    const [first, second] = products.map((id) => `product_id=${id}`);
    expect(await board(`date_start=2026-05-31&date_end=2026-05-31&${second}`)).toEqual([]);
    expect(await board(`date_start=2026-05-31&${first}`)).toHaveLength(3);
    expect(await board(`date_start=2026-05-01&${first}`)).toHaveLength(3);
    expect(await board(`date_end=2026-06-30&${second}`)).toEqual(may);
    for (const date_end of ['2026-06-30', '2026-07-15']) {
      expect(await board(`date_start=2026-05-15&date_end=${date_end}`)).toEqual(await board(''));
    }
    expect(await board('date_start=2026-04-15&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-04-15&date_end=2026-05-30')).toEqual([]);
    expect(await board('date_start=2026-07-01')).toEqual([]);
    expect((await get('leaderboard?date_start=2026-06-30&date_end=2026-05-01')).status).toBe(400);
    expect(await board(`date_end=2026-04-30&${first}`)).toEqual([]);
    expect(await get('leaderboard?date_start=2026-05-01T00:00:00Z')).toMatchObject({
      status: 400,
      body: { data: { params: { date_start: 'must be a date (YYYY-MM-DD)' } } },
    });
  });

  test('show amounts with their currency', async () => {
    const { body } = await get('leaderboard?calculate=total&limit=1');
    expect(body.data).toEqual([
      {
        ...{ rank: 1, id: people[0], name: 'Ana', image: '' },
        ...{ raw_total: 250_000, total: 'USD 2,500.00', clicks: 0, conversion: null },
      },
    ]);
    const orders = await get('leaderboard?limit=1');
    expect(orders.body.data[0].total).toBe('2');
  });

  test('show affiliates their rank, and how far the next rank is', async () => {
    const rank = async (person: number | undefined, query = '') =>
      (await get(`${person}/rank?${query}`)).body.data;
    expect(await rank(people[2])).toEqual({
      affiliate_id: people[2],
      rank: 3,
      of: 3,
      raw_total: 1,
      total: '1',
      next: { rank: 1, gap: 1 },
    });
    expect(await rank(people[0])).toMatchObject({ rank: 1, next: null });
    expect(await rank(people[1], 'calculate=total')).toMatchObject({
      ...{ rank: 2, of: 3, total: 'USD 1,300.00', next: { rank: 1, gap: 120_000 } },
    });
    expect(await rank(people[3])).toMatchObject({
      ...{ rank: null, of: 3, raw_total: 0, next: { rank: 3, gap: 1 } },
    });
    expect((await get('999999/rank')).status).toBe(404);
  });

  test.each(['calculate=luck', 'date_start=yesterday', 'date_end=2026-05-31T00:00:00Z', 'limit=0'])(
    'refuse %s',
    async (query) => {
      expect((await get(`leaderboard?${query}`)).status).toBe(400);
    },
  );
});
