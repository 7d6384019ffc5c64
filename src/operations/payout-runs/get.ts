import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { withLines } from '../../domain/payout/run-rules.ts';
import { PayoutRunWithLines } from '../../domain/payout/run-schemas.ts';
import { findLines } from '../../queries/payout-lines.ts';
import { findRun } from '../../queries/payout-runs.ts';

export const getPayoutRun = endpoint({
  id: 'payoutRuns.get',
  route: ['GET /payout-runs/:id'],
  summary: 'Get a payout run',
  description: 'With its first 1,000 lines; `/payout-runs/{id}/lines` has all of them.',
  access: apiKey('payouts:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(PayoutRunWithLines)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found, lines } = await db.query({
    found: findRun(params.id, now),
    lines: findLines(params.id, now),
  });
  return found[0] ? one(withLines(found[0], lines)) : refuse('rest_not_found');
});
