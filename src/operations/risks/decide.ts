import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { ledgerEvents } from '../../domain/commission/events.ts';
import { type DecidedOrders, followDecision } from '../../domain/commission/risk-decision.ts';
import { orderEvents } from '../../domain/order/events.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { decidedRisk, toRisk } from '../../domain/risk/rules.ts';
import { Risk, RiskDecision } from '../../domain/risk/schemas.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { loadRiskDecision, saveRiskDecision } from '../../queries/risk-decisions.ts';

export const decideRiskEndpoint = endpoint({
  id: 'risks.decide',
  route: ['POST /risks/:id'],
  summary: 'Clear or confirm a risk',
  description:
    'Clearing releases the held commissions: each is payable as if there had been no risk. Confirming cancels these commissions; what was paid already becomes a negative commission, which the next payout deducts. If the risk is at tier 1, the order no longer counts for its affiliate, not even in leaderboards. A decision can be changed; a `void` risk cannot be decided.',
  access: apiKey('risks:write'),
  effect: 'write',
  params: IdParams,
  body: RiskDecision,
  reply: [200, record(Risk)],
  errors: ['rest_not_found', 'rest_invalid_param', 'risk_void'],
}).handle(async ({ params, body, principal, db, ifMatch, now }) =>
  db.change({
    load: loadRiskDecision(params.id),
    decide: (loaded) => {
      const before = current(loaded.found, ifMatch, 'risk');
      if (isRefusal(before)) return before;
      const risk = decidedRisk(before.risk, body, principal.actor, now);
      if (isRefusal(risk)) return risk;
      const reply = one(toRisk({ ...before, risk }));
      if (risk === before.risk) return { write: [], reply };
      const people = [before.affiliate, before.other];
      const state = { ...stateOf(loaded, now), people };
      const effect = followDecision(risk, state);
      return {
        write: saveRiskDecision(before.risk, risk, state, effect),
        events: [
          ...ledgerEvents(state.rows, effect.ledger, now),
          ...effect.orders.flatMap((row) => orderEvents(toOrder(row), row.order.status)),
        ],
        before: toRisk(before),
        reply,
      };
    },
  }),
);

const stateOf = (
  { orders, rows, risks, products, ids }: Results<ReturnType<typeof loadRiskDecision>>,
  now: Date,
): Omit<DecidedOrders, 'people'> => ({
  orders,
  rows,
  risks,
  holdDays: new Map(products.map(({ id, affiliate }) => [id, affiliate.hold_days])),
  ids: ids.rows.map(({ id }) => Number(id)),
  now,
});
