import { apiKey, collection, endpoint } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { loadResults, planResults, resultErrors } from '../../actions/payouts/results.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { LineResults, PayoutLine } from '../../domain/payout/run-schemas.ts';

export const setPayoutResults = endpoint({
  id: 'payoutRuns.setResults',
  route: ['POST /payout-runs/:id/lines'],
  summary: 'Record the results of many lines',
  description: 'As for one line, for at most 1,000 lines: all of them or none.',
  access: apiKey('payouts:write'),
  effect: 'write',
  params: IdParams,
  body: LineResults,
  reply: [200, collection(PayoutLine)],
  errors: resultErrors,
}).handle(async ({ params, body: { results }, db, ifMatch, now }) =>
  db.change({
    load: loadResults(
      params.id,
      results.map(({ id }) => id),
      now,
    ),
    decide: (loaded) => {
      const planned = planResults(loaded, results, ifMatch, now);
      if (isRefusal(planned)) return planned;
      const { write, events, after } = planned;
      return { write, events, reply: { success: true as const, data: after } };
    },
  }),
);
