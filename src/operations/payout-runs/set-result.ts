import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { loadResults, planResults, resultErrors } from '../../actions/payouts/results.ts';
import { LineParams, LineResult, PayoutLine } from '../../domain/payout/run-schemas.ts';

export const setPayoutResult = endpoint({
  id: 'payoutRuns.setResult',
  route: ['POST /payout-runs/:id/lines/:line'],
  summary: 'Record the result of a line',
  description:
    'For a line of a confirmed run. `paid` notifies the affiliate, unless they were notified before. `returned` makes the commissions payable again, even after `paid`. The copy of the account is deleted. `If-Match` must be the version of the run.',
  access: apiKey('payouts:write'),
  effect: 'write',
  params: LineParams,
  body: LineResult,
  reply: [200, record(PayoutLine)],
  errors: resultErrors,
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: loadResults(params.id, [params.line], now),
    decide: (loaded) => {
      const planned = planResults(loaded, [{ ...body, id: params.line }], ifMatch, now);
      if (isRefusal(planned)) return planned;
      const { write, events, after } = planned;
      const [line] = after;
      return line ? { write, events, reply: one(line) } : refuse('rest_not_found');
    },
  }),
);
