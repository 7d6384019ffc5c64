import {
  accessEnds,
  affiliateDays,
  affiliateFigures,
  affiliateSales,
  orderRollups,
  productDays,
  saleCommissions,
} from '../../../src/cli/integrity/facts.ts';

/** The figures that row triggers maintain, computed from rows that were written without the triggers. */
export const rebuilds: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: 'order rollups',
    statements: ['delete from order_rollups', `insert into order_rollups ${orderRollups}`],
  },
  {
    name: 'days of products',
    statements: ['delete from product_days', `insert into product_days ${productDays}`],
  },
  {
    name: 'figures of affiliates',
    statements: [
      'delete from affiliate_figures',
      `insert into affiliate_figures ${affiliateFigures}`,
    ],
  },
  {
    name: 'sales of affiliates',
    statements: ['delete from affiliate_sales', `insert into affiliate_sales ${affiliateSales}`],
  },
  {
    name: 'days of affiliates',
    statements: ['delete from affiliate_days', `insert into affiliate_days ${affiliateDays}`],
  },
  {
    name: 'commissions of sales',
    statements: ['delete from sale_commissions', `insert into sale_commissions ${saleCommissions}`],
  },
  {
    name: 'ends of grants',
    statements: ['delete from access_ends', `insert into access_ends ${accessEnds}`],
  },
  {
    name: 'number of grants',
    statements: [
      "delete from list_totals where list = 'access_grants'",
      "insert into list_totals select 'access_grants', 0, count(*) from access_grants",
    ],
  },
];
