import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { ledgerEvents } from '../../domain/commission/events.ts';
import { loadByHand, saveByHand } from '../../queries/commissions.ts';
import { decideRemoval } from '../../domain/commission/rules.ts';
import { handState } from '../../actions/commissions/hand-state.ts';

export const deleteCommission = endpoint({
  id: 'commissions.delete',
  route: ['DELETE /commissions/:id'],
  summary: 'Delete a commission',
  description:
    'Removes the commission and its adjustments from every list, unless it was paid. Later changes to its order do not bring it back. But if the order gets another affiliate, even its former one again, all tiers earn anew.',
  access: apiKey('commissions:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'commission_paid', 'commission_adjustment'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: loadByHand(params.id),
    decide: (loaded) => {
      const state = handState(loaded, ifMatch, now);
      if (isRefusal(state)) return state;
      const outcome = decideRemoval(state);
      if (isRefusal(outcome)) return outcome;
      return {
        write: saveByHand(state, loaded.risks, outcome),
        events: ledgerEvents(state.rows, outcome, now),
        reply: deleted(params.id),
      };
    },
  }),
);
