import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';

const { moved } = useMoves();

/** The figures of a shop, from the plugins themselves. */
interface Figures {
  readonly 'orders by status': Readonly<
    Record<string, { readonly count: number; readonly sum: string }>
  >;
  readonly 'refunded by order': Readonly<Record<string, string>>;
  readonly coupons: readonly { readonly code: string; readonly status: string }[];
  readonly 'products by type': Readonly<Record<string, number>>;
  readonly users: Readonly<Record<string, number>>;
  readonly 'affiliates by status': Readonly<Record<string, { readonly count: number }>>;
  readonly keys: Readonly<Record<'all' | 'pending' | 'active' | 'blocked' | 'expired', number>>;
}

const dumps = join(import.meta.dirname, '..', 'dumps');

const cents = (amount: string) => Math.round(Number(amount) * 100);

/** The plugin's statuses by the service's; others are not imported. */
const statuses: Readonly<Record<string, readonly string[]>> = {
  'on-hold': ['pending', 'on-hold'],
  'in-progress': ['processing'],
  completed: ['completed'],
  refunded: ['refunded'],
  cancelled: ['cancelled', 'failed'],
};

test.each(isLong ? ['woocommerce', 'woocommerce-posts'] : ['woocommerce'])(
  'the shop %s has the totals that the plugins show',
  async (name) => {
    const figures = JSON.parse(readFileSync(join(dumps, `${name}.json`), 'utf8')) as Figures;
    const shop = await moved(woocommerceImporter, join(dumps, `${name}.sql.gz`));

    // Of the placed orders only those in another currency are missing.
    const foreign = shop.staging.database
      .prepare(
        `select status, total from shop_order where currency = 'USD' and type = 'shop_order'`,
      )
      .all();
    const ours = await shop.query<{
      status: string;
      count: string;
      sum: string;
      refunded: string;
    }>(`
      select status, count(distinct coalesce(meta #>> '{import,order}', id::text)) as count, sum(grand_total) as sum
        from orders group by 1`);
    for (const [status, theirs] of Object.entries(statuses)) {
      const found = ours.find((row) => row.status === status);
      const left = foreign.filter((row) =>
        theirs.includes(String(row['status']).replace('wc-', '')),
      );
      const said = theirs.map((one) => figures['orders by status'][one]);
      expect([status, Number(found?.count), Number(found?.sum)]).toEqual([
        status,
        said.reduce((sum, one) => sum + (one?.count ?? 0), -left.length),
        said.reduce((sum, one) => sum + cents(one?.sum ?? '0'), 0) -
          left.reduce((sum, row) => sum + cents(String(row['total'])), 0),
      ]);
    }

    const refunded = await shop.query<{ id: string; sum: string }>(`
      select coalesce(meta #>> '{import,order}', id::text) as id, sum(refunded_total) as sum
        from orders group by 1 having sum(refunded_total) > 0`);
    const inStore = new Set(
      (await shop.query<{ id: string }>('select id from orders')).map(({ id }) => id),
    );
    expect(Object.fromEntries(refunded.map(({ id, sum }) => [id, Number(sum)]))).toEqual(
      Object.fromEntries(
        Object.entries(figures['refunded by order'])
          .filter(([id]) => inStore.has(id))
          .map(([id, sum]) => [id, cents(sum)]),
      ),
    );

    const [counts] = await shop.query<Record<string, string>>(`
      select (select count(*) from products where deleted_at is null) as products,
             (select count(*) from user_external_ids) as accounts,
             (select count(*) from users where 'affiliate' = any(roles)) as affiliates,
             (select count(*) from licenses) as keys,
             (select count(*) from licenses where status = 'active' and activation_count = 0
                 and (expires_at is null or expires_at > now())) as unused,
             (select count(*) from licenses where status = 'inactive' or expires_at < now()) as unusable`);
    const all = (values: Readonly<Record<string, number>>) =>
      Object.values(values).reduce((sum, n) => sum + n, 0);
    const { keys } = figures;
    expect(counts).toEqual({
      products: String(all(figures['products by type'])),
      accounts: String(all(figures.users)),
      affiliates: String(figures['affiliates by status']['active']?.count),
      keys: String(keys.all),
      // A key is pending in the plugin until its first use.
      unused: String(keys.pending),
      unusable: String(keys.blocked + keys.expired),
    });
    expect(
      (await shop.query<{ code: string }>('select code from coupons order by id')).map(
        ({ code }) => code,
      ),
    ).toEqual(figures.coupons.map(({ code }) => code.toUpperCase()));
  },
);
