import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { productStatuses } from '../../../src/schema/lists.ts';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

describe('A list of products', () => {
  let products: Product[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 24; n++) {
      const product = await opened.fixture.newProduct({
        title: `${['Kopi', '100%_Tee', 'Möbel'][n % 3]} ${n}`,
        status: productStatuses[n % 3],
        type: n % 2 ? 'digital' : 'physical',
        payment_type: n % 5 ? 'one-time' : 'recurring',
        subscription: { active: n % 5 === 0 },
        affiliate: { enabled: n % 4 === 0 },
      });
      products.unshift(product);
    }
  });

  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

  test('finds by any combination of filters exactly the products that match', async () => {
    const { fixture } = opened;
    const listed = products.map(({ id }) => id).join(',');
    const query = fc.record({
      status: maybe(fc.constantFrom(...productStatuses)),
      type: maybe(fc.constantFrom('digital', 'physical')),
      payment_type: maybe(fc.constantFrom('one-time', 'recurring')),
      affiliate_enabled: maybe(fc.boolean()),
      search: maybe(fc.constantFrom('KOPI', '0%_', 'möb', 'l 2', '-tee-', '%', 'ko', '___')),
      sort: maybe(fc.constantFrom('id', '-id')),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ search, sort, affiliate_enabled, ...exact }) => {
        const words = search?.toLowerCase();
        const found = products.filter(
          (product) =>
            Object.entries(exact).every(
              ([name, value]) => value === undefined || product[name as 'type'] === value,
            ) &&
            (affiliate_enabled === undefined || product.affiliate.enabled === affiliate_enabled) &&
            (words === undefined ||
              (words.length > 2 &&
                `${product.title} ${product.slug}`.toLowerCase().includes(words))),
        );
        const parameters = new URLSearchParams({ ids: listed, per_page: '100' });
        for (const [name, value] of Object.entries({ ...exact, search, sort, affiliate_enabled })) {
          if (value !== undefined) parameters.set(name, String(value));
        }
        const { status, body } = await fixture.api.get(`/products?${parameters.toString()}`);
        expect(status).toBe(200);
        expect(body.data).toEqual(sort === 'id' ? found.toReversed() : found);
        expect(body.meta.pagination.total).toBe(found.length);
      }),
      { numRuns: 60 },
    );
  });

  test('has the same records by page as by cursor, and counts all', async () => {
    const { fixture } = opened;
    const { rows } = await fixture.store.database.query<{ id: string }>(
      'select id from products where deleted_at is null order by id desc',
    );
    const all = rows.map(({ id }) => Number(id));
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await fixture.api.get(`/products?per_page=23&cursor=${cursor}`);
      seen.push(...body.data.map(({ id }: Product) => id));
      if (body.meta.next_cursor === null) break;
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual(all);
    const { body } = await fixture.api.get('/products?per_page=23&page=2');
    expect(body.data.map(({ id }: Product) => id)).toEqual(all.slice(23, 46));
    expect(body.meta.pagination.total).toBe(all.length);
  });
});
