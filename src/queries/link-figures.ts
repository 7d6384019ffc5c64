import { type SQL, sql } from 'drizzle-orm';
import { withinDays } from '../kernel/database/filters.ts';
import { type Argument, raw } from '../kernel/database/statements.ts';
import type { FigureKey, FigureRow, FiguresQuery, Sums } from '../domain/affiliate/figures.ts';
import { affiliateFigures } from '../schema/affiliates.ts';

const sums = sql`coalesce(sum(f.clicks), 0) as clicks, coalesce(sum(f.orders), 0) as orders,
  coalesce(sum(f.paid), 0) as paid, coalesce(sum(f.revenue), 0) as revenue,
  coalesce(sum(f.commission), 0) as commission`;

const something = sql`(sum(f.clicks), sum(f.orders), sum(f.paid), sum(f.revenue), sum(f.commission))
  <> (0, 0, 0, 0, 0)`;

/** The rows of an affiliate for a query, as `f`. */
function covered(
  affiliate_id: Argument<number>,
  { product_id, date_start, date_end }: FiguresQuery,
): SQL {
  const days = withinDays(affiliateFigures.day, date_start, date_end);
  return sql`(select * from affiliate_figures where affiliate_id = ${affiliate_id}
    ${product_id === undefined ? sql`` : sql`and product_id = ${product_id}`}
    ${days && sql`and ${days}`}) f`;
}

/** The columns to show and to group by. */
const keys: Record<FigureKey, { readonly shown: SQL; readonly grouped: SQL }> = {
  day: { shown: sql`(date '2000-01-01' + f.day)::text as day`, grouped: sql`f.day` },
  product: { shown: sql`f.product_id, p.title`, grouped: sql`f.product_id, p.title` },
  target: { shown: sql`nullif(f.target, '') as target`, grouped: sql`f.target` },
  sub: { shown: sql`nullif(f.sub, '') as sub`, grouped: sql`f.sub` },
};

/** The figures of an affiliate: latest days first, otherwise highest revenue first. */
export const findFigures = (
  affiliate_id: number,
  { by = 'day', ...query }: FiguresQuery,
  limit: number,
) => {
  const { shown, grouped } = keys[by];
  const first = by === 'day' ? sql`f.day desc` : sql`revenue desc, clicks desc, ${grouped}`;
  return raw<FigureRow>(sql`select ${shown}, ${sums} from ${covered(affiliate_id, query)}
    ${by === 'product' ? sql`join products p on p.id = f.product_id` : sql``}
    group by ${grouped} having ${something} order by ${first} limit ${limit}`);
};

export const findFigureTotals = (affiliate_id: number, query: FiguresQuery) =>
  raw<Sums>(sql`select ${sums} from ${covered(affiliate_id, query)}`);

/** All-time figures of an affiliate's links, or of those of one product. */
export const findLinkFigures = (affiliate_id: Argument<number>, product_id: number | undefined) =>
  raw<FigureRow>(sql`select f.product_id, f.target, ${sums} from ${covered(affiliate_id, { product_id })}
    where f.target <> '' group by f.product_id, f.target`);
