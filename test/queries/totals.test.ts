import { type SQL, like, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { countRows } from '../../src/kernel/database/filters.ts';
import { rolledUp } from '../../src/queries/rollups.ts';
import { commissionRollups } from '../../src/schema/commissions.ts';
import { products } from '../../src/schema/products.ts';
import { orderRollups } from '../../src/schema/rollups.ts';
import { orderFilters } from '../../src/queries/orders.ts';
import { totalOrders } from '../../src/queries/order-totals.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const stage = useStoreFixture();
let number: string;

beforeAll(async () => {
  const { fixture } = stage;
  const [first, second] = [await fixture.newProduct({ title: 'Red' }), await fixture.newProduct()];
  ({ number } = await fixture.newOrder({ product_id: first.id }));
  await fixture.newOrder({ product_id: second.id });
});

async function totalOf(count: { toSQL(): { sql: string; params: unknown[] } }): Promise<number> {
  const { sql: text, params } = count.toSQL();
  const { rows } = await stage.fixture.store.database.query({
    text,
    values: params,
    rowMode: 'array',
  });
  return Number(rows[0]?.[0]);
}

test.each([orderRollups, commissionRollups])(
  'a rollup is not used for an unknown filter, alone or beside known ones',
  (rollup) => {
    const unknown: Record<string, SQL> = { colour: sql`true` };
    expect(rolledUp(rollup, {}, {})).toBeDefined();
    expect(rolledUp(rollup, unknown, {})).toBeUndefined();
    for (const [name, value] of [
      ['status', 'completed'],
      ['product_id', 1],
      ['affiliate_id', 1],
      ['date_start', '2026-01-01'],
      ['date_end', '2026-01-31'],
    ] as const) {
      const known = { [name]: sql`true` };
      expect(rolledUp(rollup, known, { [name]: value }), name).toBeDefined();
      expect(rolledUp(rollup, { ...known, ...unknown }, { [name]: value }), name).toBeUndefined();
    }
  },
);

test('a rollup is not used for two of its filters together', () => {
  const conditions = orderFilters({ product_id: 1, affiliate_id: 1 });
  expect(rolledUp(orderRollups, conditions, { product_id: 1, affiliate_id: 1 })).toBeUndefined();
});

test('orders with an unknown filter are counted row by row', async () => {
  expect(await totalOf(totalOrders({}))).toBe(2);
  expect(await totalOf(totalOrders({ search: number }))).toBe(1);
});

test('records of a list with a stored total are counted row by row if there is a filter', async () => {
  const present = sql`${products.deleted_at} is null`;
  const title = like(products.title, 'Red');
  const count = (conditions: { present: SQL; title?: SQL }) =>
    totalOf(countRows(['products'], products, conditions, ['present']));
  expect(await count({ present })).toBe(2);
  expect(await count({ present, title })).toBe(1);
});
