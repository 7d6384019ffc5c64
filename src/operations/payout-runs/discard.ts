import { anyScope, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { discardedRun, toPayoutRun } from '../../domain/payout/run-rules.ts';
import { PayoutRun } from '../../domain/payout/run-schemas.ts';
import { discardRun, findRun } from '../../queries/payout-runs.ts';

export const discardPayoutRun = endpoint({
  id: 'payoutRuns.discard',
  route: ['POST /payout-runs/:id/discard'],
  summary: 'Discard a draft payout run',
  description: 'Deletes its lines and frees its commissions. Discarding it again changes nothing.',
  access: anyScope('payouts:write', 'commissions:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, record(PayoutRun)],
  errors: ['rest_not_found', 'payout_run_closed'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findRun(params.id, now) },
    decide: ({ found }) => {
      const shown = found.map((row) => ({ row, ...toPayoutRun(row) }));
      const before = current(shown, ifMatch);
      if (isRefusal(before)) return before;
      const { row, status } = before;
      if (status === 'confirmed') return refuse('payout_run_closed');
      if (status === 'discarded') return { write: [], reply: one(toPayoutRun(row)) };
      const after = discardedRun(row, now);
      return {
        write: discardRun(row, after),
        before: toPayoutRun(row),
        reply: one(toPayoutRun(after)),
      };
    },
  }),
);
