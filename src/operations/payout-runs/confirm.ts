import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { payoutRunEvent } from '../../domain/payout/run-events.ts';
import {
  confirmedLine,
  confirmedRun,
  toPayoutRun,
  withLines,
} from '../../domain/payout/run-rules.ts';
import { PayoutRunWithLines } from '../../domain/payout/run-schemas.ts';
import { findLines } from '../../queries/payout-lines.ts';
import { confirmRun, findRun } from '../../queries/payout-runs.ts';

export const confirmPayoutRun = endpoint({
  id: 'payoutRuns.confirm',
  route: ['POST /payout-runs/:id/confirm'],
  summary: 'Confirm a payout run',
  description:
    'Computes the lines again. Each line without an obstacle becomes a payout with the id of the line; the commissions of the other lines can be paid out by another run. With the version of the draft in `If-Match`, the answer is 409 if its sums or accounts have changed since. Confirming it again changes nothing. Record the result of each transfer with its line: the affiliate is notified once it is `paid`, or three days after the confirmation.',
  access: apiKey('payouts:write'),
  effect: 'write',
  fresh: true,
  params: IdParams,
  reply: [200, record(PayoutRunWithLines)],
  errors: ['rest_not_found', 'payout_run_closed', 'nothing_payable'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findRun(params.id, now), lines: findLines(params.id, now) },
    decide: ({ found, lines }) => {
      const shown = found.map((row) => ({ row, ...toPayoutRun(row) }));
      const before = current(shown, ifMatch);
      if (isRefusal(before)) return before;
      const { row, status, totals } = before;
      if (status === 'confirmed') return { write: [], reply: one(withLines(row, lines)) };
      if (status === 'discarded') return refuse('payout_run_closed');
      if (totals.payable === 0) {
        return refuse('nothing_payable', { message: 'Every line has an obstacle.' });
      }
      const after = confirmedRun(row, now);
      return {
        write: confirmRun(row, after, now),
        events: [payoutRunEvent('payout-run.confirmed', toPayoutRun(after))],
        before: withLines(row, []),
        reply: one(withLines(after, lines.map(confirmedLine))),
      };
    },
  }),
);
