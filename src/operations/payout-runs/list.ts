import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { toPayoutRun } from '../../domain/payout/run-rules.ts';
import { PayoutRun, PayoutRunQuery } from '../../domain/payout/run-schemas.ts';
import { countRuns, listRuns } from '../../queries/payout-runs.ts';

export const listPayoutRuns = endpoint({
  id: 'payoutRuns.list',
  route: ['GET /payout-runs'],
  summary: 'List payout runs',
  access: apiKey('payouts:read'),
  effect: 'read',
  query: PayoutRunQuery,
  reply: [200, page(PayoutRun)],
}).handle(async ({ query, db, now }) =>
  readList(db, query, {
    list: (asked: PayoutRunQuery, window) => listRuns(asked, window, now),
    count: countRuns,
    show: (row) => ({ ...toPayoutRun(row), id: row.run.id }),
  }),
);
