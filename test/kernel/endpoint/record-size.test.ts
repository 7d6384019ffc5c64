import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

// The database's endpoint answers with 10 MiB at most, so a page of the 100 largest records must fit.
const opened = useStore();
let api: ApiClient;
beforeAll(async () => {
  api = await opened.store.key();
});

const variants = Array.from({ length: 20 }, (_, group) => ({
  id: `g${group}`,
  label: 'Size',
  options: [{ id: `o${group}`, label: '"'.repeat(100), extra_price: 0 }],
}));

const tools = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `t${n}`,
    title: 'Banner',
    description: '☃'.repeat(300),
    file: 'https://demo.example/a.png',
  }));

describe('a product that lists could not show', () => {
  test('is refused, naming what is too large', async () => {
    const product = { title: 'Course', price: 1000, affiliate: { tools: tools(200) } };
    const reply = await api.post('/products', product);
    expect(reply.body).toMatchObject({
      code: 'rest_invalid_param',
      message: expect.stringMatching(/^A record may take 96 KiB; this one would take \d{3}\.$/),
      data: { status: 400, params: { affiliate: 'is too large' } },
    });
  });

  test('is refused too if it grows part by part', async () => {
    const { body } = await api.post('/products', {
      title: 'Course',
      price: 1000,
      affiliate: { tools: tools(80) },
    });
    const grown = await api.patch(`/products/${body.data.id}`, {
      description: '☃'.repeat(20_000),
    });
    expect(grown.body.data.params).toEqual({ affiliate: 'is too large' });
    const unchanged = await api.get(`/products/${body.data.id}`);
    expect(unchanged.body.data).toMatchObject({ description: '', version: body.data.version });
  });
});

long('a page of a hundred of the largest products is shown', async () => {
  const large = {
    title: 'Course',
    price: 1000,
    variants,
    affiliate: { tools: tools(10) },
    description: '☃'.repeat(17_000),
    meta: { note: '☃'.repeat(1000) },
  };
  const before = (await api.get('/products?per_page=1')).body.meta.pagination.total as number;
  for (let n = before; n < 101; n++) expect((await api.post('/products', large)).status).toBe(201);
  const page = await api.get('/products?per_page=100');
  expect(page.status).toBe(200);
  expect(page.body.data).toHaveLength(100);
  expect(page.body.meta.next_cursor).not.toBeNull();
  const [shown] = page.body.data;
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeGreaterThan(65_536);
});
