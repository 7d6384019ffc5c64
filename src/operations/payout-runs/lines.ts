import { apiKey, endpoint, IdParams, page } from '../../kernel/endpoint/declare.ts';
import { readPage } from '../../kernel/lists/read.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toPayoutLine } from '../../domain/payout/run-rules.ts';
import { PayoutLine, PayoutLineQuery } from '../../domain/payout/run-schemas.ts';
import { countLines, listLines } from '../../queries/payout-lines.ts';
import { findRunId } from '../../queries/payout-runs.ts';

export const listPayoutLines = endpoint({
  id: 'payoutRuns.lines',
  route: ['GET /payout-runs/:id/lines'],
  summary: 'List the lines of a payout run',
  access: apiKey('payouts:read'),
  effect: 'read',
  params: IdParams,
  query: PayoutLineQuery,
  reply: [200, page(PayoutLine)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const { rows, total, run } = await readPage(
    db,
    query,
    (window) => listLines(params.id, query, window, now),
    () => countLines(params.id, query),
    { run: findRunId(params.id) },
  );
  return run[0] ? pageOf(query, rows.map(toPayoutLine), total) : refuse('rest_not_found');
});
