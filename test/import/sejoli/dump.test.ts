import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';

const { moved } = useMoves();

const here = new URL('../dumps/', import.meta.url).pathname;

interface Counted {
  readonly count: number;
  readonly sum: string;
}

/** The shop's figures, from the plugin's own functions. */
const figures = JSON.parse(readFileSync(`${here}sejoli.json`, 'utf8')) as {
  'read at': string;
  'orders by status': Readonly<Record<string, Counted>>;
  'orders by type': Readonly<Record<string, Counted>>;
  'orders by product': Readonly<Record<string, Counted>>;
  'orders by affiliate': Readonly<Record<string, Counted>>;
  renewals: number;
  'commissions by tier': Readonly<Record<string, Counted>>;
  'activations by code': Readonly<Record<string, number>>;
  'products open to each': Readonly<Record<string, readonly number[]>>;
};

let shop: Moved;

beforeAll(async () => {
  shop = await moved(sejoliImporter, `${here}sejoli.sql.gz`);
}, 60_000);

async function counted(query: string): Promise<Record<string, { count: number; sum: number }>> {
  const rows = await shop.query<{ key: string; count: string; sum: string }>(query);
  return Object.fromEntries(
    rows.map(({ key, count, sum }) => [key, { count: Number(count), sum: Number(sum) }]),
  );
}

const rupiah = (of: Readonly<Record<string, Counted>>) =>
  Object.fromEntries(
    Object.entries(of).map(([key, { count, sum }]) => [key, { count, sum: Number(sum) }]),
  );

describe('A shop that Sejoli itself made', () => {
  test.each([
    ['orders by status', 'status'],
    ['orders by type', 'type'],
    ['orders by product', 'product_id'],
    ['orders by affiliate', 'coalesce(affiliate_id, 0)'],
  ] as const)('has the %s that the plugin counts', async (name, column) => {
    expect(
      await counted(
        `select ${column}::text as key, count(*) as count, sum(grand_total) as sum from orders group by 1`,
      ),
    ).toEqual(rupiah(figures[name]));
  });

  test('has its renewals behind the orders that they renew', async () => {
    const [row] = await shop.query<{ n: string }>(
      'select count(*) as n from orders where order_parent_id is not null',
    );
    expect(Number(row?.n)).toBe(figures.renewals);
  });

  test('has its commissions, each rounded to whole rupiah', async () => {
    const rows = await counted(
      'select tier::text as key, count(*) as count, sum(commission) as sum from commissions group by 1',
    );
    for (const [tier, { count, sum }] of Object.entries(figures['commissions by tier'])) {
      expect(rows[tier]?.count).toBe(count);
      expect(Math.abs((rows[tier]?.sum ?? 0) - Number(sum))).toBeLessThanOrEqual(count / 2);
    }
  });

  test('gives each person the access that the plugin gave', async () => {
    const rows = await shop.query<{ person: string; products: string[] }>(
      `select split_part(u.email, '@', 1) as person, array_agg(distinct g.product_id::int order by g.product_id::int) as products
         from access_grants g join users u on u.id = g.user_id
        where g.status = 'active' and g.deleted_at is null
          and (g.end_active is null or g.end_active > $1::timestamp at time zone 'UTC')
        group by 1`,
      [figures['read at']],
    );
    const open = Object.fromEntries(rows.map(({ person, products }) => [person, products]));
    const theirs = Object.entries(figures['products open to each']).map(([person, products]) => [
      person,
      [...products].sort((a, b) => a - b),
    ]);
    expect(open).toEqual(Object.fromEntries(theirs));
  });

  test('has each licence once, by its code', async () => {
    const rows = await shop.query<{ code: string }>('select code from licenses order by code');
    const codes = Object.keys(figures['activations by code']).sort();
    expect(rows.map(({ code }) => code)).toEqual(codes);
  });

  test('continues to sell: a new order has its commission, and a licence is validated', async () => {
    const api = await StoreFixture.open(shop.store);
    const [sponsored] = await shop.query<{ id: string }>(
      `select u.id from users u where u.affiliate_id is not null and status = 'active' order by u.id limit 1`,
    );
    const { body } = await api.api.post('/orders', {
      product_id: 4,
      user_id: Number(sponsored?.id),
    });
    const { data } = body as { data: { id: number } };
    const [highest] = await shop.query<{ n: string }>('select max(id) as n from orders');
    expect(data.id).toBe(Number(highest?.n));
    const [license] = await shop.query<{ code: string; string: string }>(
      `select l.code, a.string from licenses l
         join license_activations a on a.license_id = l.id
         join orders o on o.id = l.order_id
        where l.status = 'active' and o.type = 'regular' order by l.id limit 1`,
    );
    const reply = await api.api.post('/licenses/validate', {
      license: license?.code.toLowerCase(),
      string: license?.string,
    });
    expect(reply.body).toMatchObject({ code: 'VALID' });
  });
});
