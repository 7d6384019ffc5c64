import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();
const api = () => opened.fixture.api;

let product: number;
let order: number;

beforeAll(async () => {
  const { fixture } = opened;
  product = (await fixture.newProduct()).id;
  order = (await fixture.newOrder({ product_id: product })).id;
});

const blanks = ['', '   ', '\t', '\u00a0', '\u200b', '\u2060\u00ad', '\u3164', '\u2800', '\u3000'];

describe.each<[string, string, (text: string) => object]>([
  ['a product', '/products', (title) => ({ title, price: 1 })],
  ['a group', '/user-groups', (name) => ({ name })],
  ['a content', '/access/content', (title) => ({ title, url: '/x', product_ids: [product] })],
  ['a reminder', '/reminders', (title) => ({ order_id: order, title, content: 'x' })],
  [
    'a reminder of no content',
    '/reminders',
    (content) => ({ order_id: order, title: 'x', content }),
  ],
])('Without a visible character in a text, %s', (_, path, body) => {
  test.each(blanks)('is refused: %j', async (text) => {
    expect(await api().post(path, body(text))).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
  });
});

test.each(blanks)('a product keeps its title if a change gives %j for it', async (title) => {
  expect((await api().patch(`/products/${product}`, { title })).status).toBe(400);
});

test('a user with only invisible characters as names is shown as a user without names', async () => {
  const user = await opened.fixture.newUser({ first_name: '\u200b', last_name: '\u00a0' });
  expect(user.display_name).toBe(`User ${user.id}`);
});

describe('A range whose end is before its start', () => {
  test('is refused in a list', async () => {
    for (const range of [
      'date_start=2026-03-02&date_end=2026-03-01',
      'date_start=2026-03-01T00:00:00Z&date_end=2026-03-01T06:59:59%2B07:00',
    ]) {
      expect(await api().get(`/orders?${range}`), range).toMatchObject({
        status: 400,
        body: { data: { params: { date_end: 'must not be before date_start' } } },
      });
    }
    expect((await api().get('/orders?date_start=2026-03-01&date_end=2026-03-01')).status).toBe(200);
  });

  test('is refused for the days that shipping takes', async () => {
    const option = { id: 'van', courier: 'Van', cost: 1, etd_days_min: 4 };
    const ship = (etd: object) =>
      api().patch(`/products/${product}`, {
        shipping: { options: [{ ...option, ...etd }] },
      });
    expect((await ship({ etd_days_max: 3 })).status).toBe(400);
    expect((await ship({ etd_days_max: 4 })).status).toBe(200);
    expect((await ship({})).status).toBe(200);
  });
});
