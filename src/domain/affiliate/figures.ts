import * as z from 'zod';
import { queryId } from '../../kernel/schemas/parameters.ts';
import * as schemas from '../../lib/schemas.ts';
import type { PageLink } from './links.ts';
import { type AffiliateLink, day, sums } from './schemas.ts';

export const figureKeys = ['day', 'product', 'target', 'sub'] as const;
export type FigureKey = (typeof figureKeys)[number];

export const mostFigures = 366;

export const FiguresQuery = z.object({
  by: z
    .enum(figureKeys)
    .optional()
    .describe('Grouping of the rows: `day` (by default), `product`, `target` or `sub`.'),
  product_id: queryId.optional().describe('Only figures of this product.'),
  date_start: day.describe("From this day on, in the store's time zone."),
  date_end: day.describe("Up to the end of this day, in the store's time zone."),
});
export type FiguresQuery = z.output<typeof FiguresQuery>;

export const AffiliateFigures = z
  .object({
    affiliate_id: schemas.Id,
    by: z.enum(figureKeys),
    currency: schemas.StoreCurrency,
    totals: z.object(sums).meta({ id: 'FigureTotals' }),
    rows: z
      .array(
        z
          .object({
            day: z.iso.date().optional(),
            product_id: schemas.Id.optional(),
            title: z.string().optional(),
            target: z
              .string()
              .nullable()
              .optional()
              .describe('Key of the page that the link leads to; null for orders without a link.'),
            sub: z
              .string()
              .nullable()
              .optional()
              .describe('The campaign that the link names; null without one.'),
            ...sums,
          })
          .meta({ id: 'AffiliateFigure' }),
      )
      .describe(
        `The latest ${mostFigures} days, oldest first; in other groupings, the ${mostFigures} with the highest revenue, highest first.`,
      )
      .meta({
        examples: [
          [{ sub: 'ig', clicks: 240, orders: 9, paid: 7, revenue: 2_450_000, commission: 490_000 }],
        ],
      }),
  })
  .meta({ id: 'AffiliateFigures', description: 'Amounts are in the smallest unit of `currency`.' });
type AffiliateFigures = z.output<typeof AffiliateFigures>;

export type Sums = Record<keyof typeof sums, string>;

export interface FigureRow extends Sums {
  [column: string]: string;
}

const nothing = { clicks: 0, orders: 0, paid: 0, revenue: 0, commission: 0 };

const numbersOf = (row: Sums) => ({
  clicks: Number(row.clicks),
  orders: Number(row.orders),
  paid: Number(row.paid),
  revenue: Number(row.revenue),
  commission: Number(row.commission),
});

export const figuresOf = (
  affiliate_id: number,
  by: FigureKey,
  { currency, rows, totals }: Pick<AffiliateFigures, 'currency'> & Found,
): AffiliateFigures => ({
  ...{ affiliate_id, by, currency },
  totals: totals ? numbersOf(totals) : nothing,
  rows: (by === 'day' ? rows.toReversed() : rows).map((row) => ({
    ...row,
    ...(row.product_id && { product_id: Number(row.product_id) }),
    ...numbersOf(row),
  })),
});

interface Found {
  readonly rows: readonly FigureRow[];
  readonly totals: Sums | undefined;
}

export function withFigures(
  links: readonly PageLink[],
  rows: readonly FigureRow[],
): AffiliateLink[] {
  const known = new Map(rows.map((row) => [`${row.product_id} ${row.target}`, numbersOf(row)]));
  return links.map((link) => ({
    ...link,
    ...(known.get(`${link.product_id} ${link.key}`) ?? nothing),
  }));
}
