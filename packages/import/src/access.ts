import type { Client } from 'pg';
import { type Comparison, isExplained, readOurs, shown } from './comparison.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

/** The store's side: the active grant of each order's chain. */
const ours = `
  select o.id, g.user_id as buyer, g.product_id as product,
         to_char(g.end_active at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends
    from access_grants g join orders o on coalesce(o.order_parent_id, o.id) = g.order_id
   where g.status = 'active' and g.deleted_at is null`;

/**
 * Compares who had access to which product, and until when, as the import started. A difference is explained if the
 * report has a reason for an order or a subscription that gives the access.
 * @param source the importer's query of the shop's side
 */
export async function compareAccess(
  client: Client,
  staging: Staging<Source>,
  source: string,
): Promise<Comparison> {
  const { database, fingerprint } = staging;
  await readOurs(client, staging, { columns: ['buyer', 'product', 'ends'], sums: [], ours });
  const { rows } = await client.query<{ began: string }>(
    `select to_char(min(started_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as began
       from imports where fingerprint = $1`,
    [fingerprint],
  );
  const began = rows[0]?.began ?? '';
  for (const table of ['opened', 'pairs', 'differing'])
    database.exec(`drop table if exists temp.${table}`);
  // Groups rows, because in a full join SQLite reads the whole second table for each row of the first.
  database.exec(`
    create temp table opened as
      select 'shop' as side, cast(buyer as integer) as buyer, cast(product as integer) as product, ends, entity, id
        from (${source}) where ends is null or ends > '${began}'
       union all
      select 'store', cast(buyer as integer), cast(product as integer), ends, null, id
        from ours where ends is null or ends > '${began}';
    create temp table pairs as
      select buyer, product, ${endOf('shop')} as shop, ${endOf('store')} as store
        from opened group by 1, 2;
    create temp table differing as
      select rowid as pair, buyer, product, shop, store from pairs where shop is not store;
    create index temp.differing_key on differing (buyer, product)`);
  const { explained, examples, unexplained } = explain(database);
  const count = (side: string) =>
    Number(database.prepare(`select count(${side}) as n from pairs`).get()?.['n']);
  return {
    entity: 'access',
    source: count('shop'),
    ours: count('store'),
    sums: {},
    explained,
    unexplained,
    own: 0,
    examples,
  };
}

/** The end of a pair's access on a side, or `always`; null without access. */
const endOf = (side: string) => `
  case when sum(side = '${side}' and ends is null) > 0 then 'always'
    else max(case when side = '${side}' then ends end) end`;

function explain(
  database: Staging<Source>['database'],
): Pick<Comparison, 'explained' | 'unexplained' | 'examples'> {
  database.function('explains', { deterministic: true }, (outcome, reason) => {
    const text = reason === null ? null : String(reason);
    const isGone = outcome === 'left-out' || outcome === 'refused';
    return Number(isGone || isExplained(String(outcome), text, ['access']));
  });
  const rows = database
    .prepare(
      `with opening as materialized (
         select pair, side, entity, id from opened o cross join differing d
            on d.buyer is o.buyer and d.product is o.product),
       reported as (
         select o.pair, e.outcome, e.reason from opening o
           join entity_row e on e.entity = o.entity and e.id = cast(o.id as text)
          where side = 'shop'
          union all
         select o.pair, e.outcome, e.reason
           from entity_row e, json_each('[' || replace(e.target_id, ' ', ',') || ']') j
           join opening o on o.side = 'store' and o.id = j.value
          where e.entity in ('orders', 'subscriptions'))
       select cast(buyer as text) as buyer, cast(product as text) as product, shop, store,
              max(explains(outcome, reason)) as is_explained
         from differing left join reported using (pair)
        group by pair order by differing.buyer, differing.product`,
    )
    .iterate();
  let explained = 0;
  let unexplained = 0;
  const examples: string[] = [];
  for (const row of rows) {
    if (row['is_explained'] === 1) explained++;
    else if (unexplained++ < shown) {
      const what =
        row['shop'] === null ? 'only here' : row['store'] === null ? 'only there' : 'ends';
      examples.push(`user ${String(row['buyer'])} product ${String(row['product'])} ${what}`);
    }
  }
  return { explained, unexplained, examples };
}
