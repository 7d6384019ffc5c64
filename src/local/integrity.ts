import { Client } from 'pg';
import { readDemo } from './folder.ts';

/** A derived figure, and a query whose rows are where it differs from what it derives from. */
interface Check {
  readonly name: string;
  readonly differences: string;
}

const orderFacts = `
  select d.dimension, d.key, o.status, count(*) as orders, sum(o.quantity) as quantity,
         sum(o.grand_total) as grand_total, sum(o.refunded_total) as refunded_total
    from orders o cross join settings s
    cross join lateral (values
      ('store', 0::bigint),
      ('day', (o.created_at at time zone s.timezone)::date - date '2000-01-01'),
      ('product', o.product_id),
      ('affiliate', o.affiliate_id)
    ) d (dimension, key)
   where o.deleted_at is null and d.key is not null
   group by 1, 2, 3`;

const orderRollups = `
  select dimension, key, status, sum(orders), sum(quantity), sum(grand_total), sum(refunded_total)
    from order_rollups group by 1, 2, 3
  having (sum(orders), sum(quantity), sum(grand_total), sum(refunded_total)) <> (0, 0, 0, 0)`;

/** Rows that one query has and the other doesn't, whichever of the two it is. */
const difference = (a: string, b: string) => `(${a} except ${b}) union all (${b} except ${a})`;

const listTotal = (list: string, listed: string) =>
  difference(
    `select '${list}', count(*) from ${list} where ${listed}`,
    `select '${list}', coalesce(sum(total), 0) from list_totals where list = '${list}'`,
  );

/** Every figure that is kept rather than computed when it is read. */
export const checks: readonly Check[] = [
  { name: 'order rollups', differences: difference(`(${orderFacts})`, `(${orderRollups})`) },
  { name: 'number of users', differences: listTotal('users', "status <> 'anonymised'") },
  { name: 'number of products', differences: listTotal('products', 'deleted_at is null') },
  {
    name: 'status of orders against their history',
    differences: `
      select o.id from orders o
        left join lateral (
          select h.to from order_history h where h.order_id = o.id order by h.id desc limit 1
        ) last on true
       where last.to is distinct from o.status`,
  },
  {
    name: 'stock below zero',
    differences: 'select product_id, option_id from product_stock where units < 0',
  },
];

/** Recomputes every derived figure. @returns how many differences each check found */
export async function checkIntegrity(
  client: Client,
): Promise<{ name: string; differences: number }[]> {
  const results = [];
  for (const { name, differences } of checks) {
    const { rowCount } = await client.query(differences);
    results.push({ name, differences: rowCount ?? 0 });
  }
  return results;
}

if (import.meta.main) {
  const url = process.env['DATABASE_URL'] ?? (await readDemo())?.database_url;
  const client = new Client({ connectionString: url });
  await client.connect();
  const results = await checkIntegrity(client);
  await client.end();
  console.table(results);
  process.exitCode = results.some(({ differences }) => differences > 0) ? 1 : 0;
}
