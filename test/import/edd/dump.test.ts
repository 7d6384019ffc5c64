import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { type Moved, useMoves } from '../moved.ts';

const { moved } = useMoves();

const here = new URL('../dumps/', import.meta.url).pathname;

/** The shop's figures, from the plugin's own functions. */
const figures = JSON.parse(readFileSync(`${here}edd-affiliatewp.json`, 'utf8')) as {
  orders: { sale: number; refund: number; test: number };
  'left of refunded orders': Readonly<Record<string, string>>;
  'order items by product': Readonly<Record<string, { count: number; sum: string }>>;
  discounts: readonly { code: string; uses: number }[];
  customers: number;
  'referrals by status': Readonly<Record<string, { count: number; sum: string }>>;
  'payouts by status': Readonly<Record<string, { count: number; sum: string }>>;
  'affiliates by status': Readonly<Record<string, { count: number; sum: string }>>;
  users: Readonly<Record<string, number>>;
};

const cents = (text: string) => Math.round(Number(text) * 100);

let shop: Moved<typeof eddImporter.source>;

beforeAll(async () => {
  shop = await moved(eddImporter, `${here}edd-affiliatewp.sql.gz`);
}, 60_000);

describe('A shop that Easy Digital Downloads itself made', () => {
  test('has every order in the report, refunds as parts of theirs', () => {
    const counts = shop.staging.database
      .prepare(`select count(*) as n from entity_row where entity = 'orders'`)
      .get();
    const { sale, refund } = figures.orders;
    expect(counts?.['n']).toBe(sale + refund);
  });

  test('keeps the amount of refunded orders that the plugin shows, for all products of an order together', async () => {
    for (const [id, left] of Object.entries(figures['left of refunded orders'])) {
      const { targetId, outcome } = shop.reported('orders', id) ?? {};
      if (outcome === 'left-out') continue;
      const [row] = await shop.query<{ left: string }>(
        'select sum(grand_total - refunded_total) as left from orders where id = any($1)',
        [(targetId ?? '').split(' ')],
      );
      expect([id, Number(row?.left)]).toEqual([id, cents(left)]);
    }
  });

  test('has one order for each item of its orders', async () => {
    const [row] = await shop.query<{ n: string }>('select count(*) as n from orders');
    const items = shop.staging.database
      .prepare(
        `select count(*) as n from edd_order_items i join edd_orders o on o.id = i.order_id
          where o.type = 'sale' and o.mode = 'live' and o.currency = 'USD' and o.status <> 'trash'`,
      )
      .get();
    expect(Number(row?.n)).toBe(items?.['n']);
  });

  test('has every customer as a user, with their account if they had one', async () => {
    const [row] = await shop.query<{ n: string }>(
      `select count(*) as n from user_external_ids where provider = 'edd_customer'`,
    );
    expect(Number(row?.n)).toBe(figures.customers);
  });

  test('has its coupons by their codes', async () => {
    const rows = await shop.query<{ code: string }>('select code from coupons order by id');
    expect(rows.map(({ code }) => code)).toEqual(
      figures.discounts.map(({ code }) => code.toUpperCase()),
    );
  });

  test('makes only the chosen people administrators', async () => {
    expect(await shop.query(`select id from users where 'administrator' = any(roles)`)).toEqual([]);
  });

  test('leaves passwords behind', () => {
    const dump = gunzipSync(readFileSync(`${here}edd-affiliatewp.sql.gz`)).toString();
    const [hash = ''] = /\$(?:wp\$2y|P)\$[^']+/.exec(dump) ?? [];
    expect(hash).not.toBe('');
    const staged = readFileSync(shop.staging.database.location() ?? '');
    expect(staged.includes('person900@example.com')).toBe(true);
    expect(staged.includes(hash)).toBe(false);
  });
});

describe('AffiliateWP beside it', () => {
  test('has each referral and each payout in the report once', () => {
    const counted = shop.staging.database
      .prepare(
        `select entity, count(*) as n from entity_row
          where entity in ('commissions', 'payouts') group by 1 order by 1`,
      )
      .all();
    const sum = (of: Readonly<Record<string, { count: number }>>) =>
      Object.values(of).reduce((total, { count }) => total + count, 0);
    expect(counted.map(({ n }) => n)).toEqual([
      sum(figures['referrals by status']),
      sum(figures['payouts by status']),
    ]);
  });

  test('has payouts that are the sum of their commissions', async () => {
    const rows = await shop.query<{ amount: string; commissions: string }>(
      `select p.amount, sum(c.commission) as commissions from payouts p
         join commissions c on c.payout_id = p.id group by p.id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { amount, commissions } of rows) expect(commissions).toBe(amount);
  });

  test('has its active affiliates as affiliates', async () => {
    const [row] = await shop.query<{ n: string }>(
      `select count(*) as n from users where 'affiliate' = any(roles)`,
    );
    expect(Number(row?.n)).toBe(figures['affiliates by status']['active']?.count);
  });

  test('says who is owed money that belongs to no order', () => {
    const owed = [...eddImporter.owed(shop.staging, eddImporter.plan(shop.staging, {}).plan)];
    expect(owed.length).toBeGreaterThan(0);
    for (const { kind, amount, currency } of owed)
      expect([kind, amount > 0, currency]).toEqual(['referral', true, 'USD']);
  });
});
