import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

const metas = [
  { plan: 'pro', seats: 5, beta: true },
  { plan: 'basic', seats: '5', beta: 'true' },
  { plan: ['pro'], nested: { plan: 'pro' } },
  {},
];
/** The ids of the records with each of these, by list. */
const ids: Record<string, number[]> = { orders: [], users: [], products: [], licenses: [] };

beforeAll(async () => {
  const { fixture } = opened;
  const user = await fixture.newUser({ meta: {} });
  for (const meta of metas) {
    const product = await fixture.newProduct({ meta });
    const order = await fixture.newOrder({ product_id: product.id, user_id: user.id, meta });
    const license = await fixture.api.post('/licenses', {
      ...{ product_id: product.id, user_id: user.id, meta },
    });
    ids['products']?.push(product.id);
    ids['orders']?.push(order.id);
    ids['licenses']?.push(license.body.data.id);
    ids['users']?.push((await fixture.newUser({ meta })).id);
  }
});

describe.each(Object.keys(ids))('GET /%s', (list) => {
  const find = async (query: string) => {
    const { status, body } = await opened.fixture.api.get(`/${list}?sort=id&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: number }) => ids[list]?.indexOf(id));
  };

  test.each([
    ['meta[plan]=pro', [0]],
    ['meta%5Bplan%5D=pro', [0]],
    ['meta[seats]=5', [0, 1]],
    ['meta[seats]=5.0', [0]],
    ['meta[beta]=true', [0, 1]],
    ['meta[beta]=false', []],
    ['meta[plan]=basic&meta[seats]=5', [1]],
    ['meta[plan]=basic&meta[seats]=6', []],
    ['meta[nobody_knows]=pro', []],
    ['meta[constructor]=pro', []],
    ['meta[nested]=pro', []],
  ])('by %s finds the records of %j', async (query, found) => {
    expect(await find(query)).toEqual(found);
  });

  test.each([
    ['meta=pro', 'meta'],
    ['meta[]=pro', 'meta[]'],
    ['meta[plan=pro', 'meta[plan'],
    ['meta[a][b]=pro', 'meta[a][b]'],
    ['meta[__proto__]=pro', 'meta[__proto__]'],
    ['meta[%00]=pro', 'meta[\u0000]'],
    [`meta[${'a'.repeat(101)}]=pro`, `meta[${'a'.repeat(101)}]`],
    ['meta[plan]=pro&meta[plan]=basic', 'meta.plan'],
    ['meta[plan]=%00', 'meta.plan'],
    [Array.from({ length: 11 }, (_, at) => `meta[a${at}]=1`).join('&'), 'meta'],
  ])('by %s is 400 and names the parameter', async (query, parameter) => {
    const { status, body } = await opened.fixture.api.get(`/${list}?${query}`);
    expect(status).toBe(400);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params)).toEqual([parameter]);
  });

  test('names no key among the parameters that it ignored', async () => {
    const { body } = await opened.fixture.api.get(`/${list}?meta[plan]=pro&nobody=1`);
    expect(body.meta.ignored_parameters).toEqual(['nobody']);
  });
});

test('A list that has no records with meta ignores the filter, and says so', async () => {
  const { body } = await opened.fixture.api.get('/commissions?meta[plan]=pro');
  expect(body.meta.ignored_parameters).toEqual(['meta[plan]']);
});
