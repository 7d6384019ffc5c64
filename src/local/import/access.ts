import type { Client } from 'pg';
import { type Comparison, isExplained, readOurs, shown } from './comparison.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

/** What opens a product to somebody in the store: each order, with the grant that its chain shares. */
const ours = `
  select o.id, g.user_id as buyer, g.product_id as product,
         to_char(g.end_active at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends
    from access_grants g join orders o on coalesce(o.order_parent_id, o.id) = g.order_id
   where g.status = 'active' and g.deleted_at is null`;

/**
 * Compares who may see what when the import began: each pair of a person and a product is open on both sides, and
 * until the same moment, or the report says why not of an order or a subscription that opens it.
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
  for (const table of ['theirs', 'opened', 'pairs'])
    database.exec(`drop table if exists temp.${table}`);
  database.exec(`
    create temp table theirs as
      select cast(buyer as integer) as buyer, cast(product as integer) as product, ends, entity, id
        from (${source}) where ends is null or ends > '${began}';
    create temp table opened as
      select cast(buyer as integer) as buyer, cast(product as integer) as product, ends, id
        from ours where ends is null or ends > '${began}';
    create temp table pairs as
      select buyer, product, t.n is null as is_extra, o.n is null as is_missing
        from (${pairsOf('theirs')}) t full join (${pairsOf('opened')}) o using (buyer, product)
       where t.n is null or o.n is null or t.ends is not o.ends;
    create index temp.pairs_key on pairs (buyer, product)`);
  const { explained, examples, unexplained } = explain(database);
  const count = (table: string) =>
    Number(
      database
        .prepare(`select count(*) as n from (select distinct buyer, product from ${table})`)
        .get()?.['n'],
    );
  return {
    entity: 'access',
    source: count('theirs'),
    ours: count('opened'),
    sums: {},
    explained,
    unexplained,
    examples,
  };
}

/** What is open to whom, once: until the last end, or for good. */
const pairsOf = (table: string) => `
  select buyer, product, count(*) as n, case when count(ends) = count(*) then max(ends) end as ends
    from ${table} group by 1, 2`;

/** Pairs that differ, each with what the report says of the rows that open it on either side. */
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
      `with row_of as (
         select p.rowid as pair, e.outcome, e.reason from pairs p
           join theirs t on t.buyer is p.buyer and t.product is p.product
           left join entity_row e on e.entity = t.entity and e.id = cast(t.id as text)
          union all
         select p.rowid, e.outcome, e.reason from pairs p
           join opened o on o.buyer is p.buyer and o.product is p.product
           join (select outcome, reason, cast(j.value as integer) as target from entity_row,
                        json_each('[' || replace(target_id, ' ', ',') || ']') j
                  where entity in ('orders', 'subscriptions')) e on e.target = o.id)
       select cast(p.buyer as text) as buyer, cast(p.product as text) as product, is_extra, is_missing, max(explains(outcome, reason)) as is_explained
         from pairs p left join row_of on pair = p.rowid
        group by p.rowid order by p.buyer, p.product`,
    )
    .iterate();
  let explained = 0;
  let unexplained = 0;
  const examples: string[] = [];
  for (const row of rows) {
    if (row['is_explained'] === 1) explained++;
    else if (unexplained++ < shown) {
      const what = row['is_extra'] ? 'only here' : row['is_missing'] ? 'only there' : 'ends';
      examples.push(`user ${String(row['buyer'])} product ${String(row['product'])} ${what}`);
    }
  }
  return { explained, unexplained, examples };
}
