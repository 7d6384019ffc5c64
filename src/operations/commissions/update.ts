import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { ledgerEvents } from '../../domain/commission/events.ts';
import { loadByHand, saveByHand } from '../../queries/commissions.ts';
import { decideByHand, toCommission } from '../../domain/commission/rules.ts';
import { Commission, CommissionUpdate } from '../../domain/commission/schemas.ts';
import { handState } from '../../actions/commissions/hand-state.ts';

export const updateCommission = endpoint({
  id: 'commissions.update',
  route: ['PATCH /commissions/:id', 'PUT /commissions/:id', 'POST /commissions/:id'],
  summary: 'Update a commission',
  description:
    "Changes only the fields you send. A commission that was paid cannot change, nor can an adjustment: change its sale instead. If the tier's rows no longer add up to what the tier earns after the change, an adjustment for the difference is added. `paid_status` requires `payouts:write` as well.",
  access: apiKey('commissions:write'),
  effect: 'write',
  fresh: ['status', 'paid_status', 'commission'],
  params: IdParams,
  body: CommissionUpdate,
  reply: [200, record(Commission)],
  errors: [
    'rest_forbidden',
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'commission_paid',
    'commission_adjustment',
    'commission_not_payable',
  ],
}).handle(async ({ params, body, principal, db, ifMatch, now }) =>
  db.change({
    load: loadByHand(params.id),
    decide: (loaded) => {
      if (body.paid_status && !principal.has('payouts:write')) {
        return refuse('rest_forbidden', {
          message: '`paid_status` requires the scope payouts:write.',
        });
      }
      const state = handState(loaded, ifMatch, now);
      if (isRefusal(state)) return state;
      const outcome = decideByHand(state, body);
      if (isRefusal(outcome)) return outcome;
      const after = outcome.changed.find(({ id }) => id === params.id) ?? state.row;
      if (after === state.row && outcome.added.length === 0) {
        return { write: [], reply: one(toCommission(after, now)) };
      }
      return {
        write: saveByHand(state, loaded.risks, outcome),
        events: ledgerEvents(state.rows, outcome, now),
        before: toCommission(state.row, now),
        reply: one(toCommission(after, now)),
      };
    },
  }),
);
