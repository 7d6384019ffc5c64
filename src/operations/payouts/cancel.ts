import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { payoutEvent } from '../../domain/payout/events.ts';
import { cancelPayout, findPayout } from '../../queries/payouts.ts';
import { cancelledPayout, toPayout } from '../../domain/payout/rules.ts';
import { Payout } from '../../domain/payout/schemas.ts';

export const cancelPayoutEndpoint = endpoint({
  id: 'payouts.cancel',
  route: ['POST /payouts/:id/cancel'],
  summary: 'Cancel a payout',
  description:
    'For a transfer that did not arrive: its commissions become payable again, and the line of its payout run is `returned`. Cancelling it again changes nothing.',
  access: apiKey('payouts:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, record(Payout)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findPayout(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'payout');
      if (isRefusal(before)) return before;
      if (before.payout.status === 'cancelled') return { write: [], reply: one(toPayout(before)) };
      const after = cancelledPayout(before, now);
      return {
        write: cancelPayout(before, after),
        events: [payoutEvent('payout.returned', toPayout(after))],
        before: toPayout(before),
        reply: one(toPayout(after)),
      };
    },
  }),
);
