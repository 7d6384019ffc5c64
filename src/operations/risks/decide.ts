import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { ledgerEvents } from '../../domain/commission/events.ts';
import {
  type DecidedOrders,
  type DecisionEffect,
  followDecision,
} from '../../domain/commission/risk-decision.ts';
import { sponsorAfterDecision } from '../../domain/purchase/sponsor.ts';
import { orderEvents } from '../../domain/order/events.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { decidedRisk, toRisk } from '../../domain/risk/rules.ts';
import { Risk, RiskDecision } from '../../domain/risk/schemas.ts';
import type { Results } from '../../kernel/database/statements.ts';
import type { Consequence } from '../../reactions/reaction.ts';
import { withSponsor } from '../../reactions/new-buyers.ts';
import { allOrders } from '../../queries/new-buyers.ts';
import { countedBy, loadRiskDecision, saveRiskDecision } from '../../queries/risk-decisions.ts';

export const decideRiskEndpoint = endpoint({
  id: 'risks.decide',
  route: ['POST /risks/:id'],
  summary: 'Clear or confirm a risk',
  description:
    'Clearing releases the held commissions: each is payable as if there had been no risk. Confirming cancels these commissions; what was paid already becomes a negative commission, which the next payout deducts. If the risk is at tier 1, the order no longer counts for its affiliate, not even in leaderboards, and a buyer whose sponsor came with it loses the sponsor. A decision can be changed; a `void` risk cannot be decided.',
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
      const sponsors = sponsorsOf(effect.orders, loaded, { risk_id: params.id, now });
      return {
        write: [...sponsors.write, ...saveRiskDecision(before.risk, risk, state, effect)],
        events: [
          ...sponsors.events,
          ...ledgerEvents(state.rows, effect.ledger, now),
          ...effect.orders.flatMap((row) => orderEvents(toOrder(row), row.order.status)),
        ],
        before: toRisk(before),
        reply,
      };
    },
  }),
);

/** Changes the sponsors of buyers whose orders count for their affiliates now, or no longer. */
function sponsorsOf(
  orders: DecisionEffect['orders'],
  { settings, buyers, given }: Results<ReturnType<typeof loadRiskDecision>>,
  { risk_id, now }: { risk_id: number; now: Date },
): Required<Consequence<never>> {
  const changes = given.flatMap(({ user_id, order_id, sponsors, next }) => {
    const row = buyers.find(({ user }) => user.id === user_id);
    if (!row) return [];
    const counted = orders.map(({ order }) => order).filter((order) => order.user_id === user_id);
    const { affiliate_id } = row.user;
    const state = { affiliate_id, isSponsor: sponsors === 1, order_id, next };
    const isPermanent = settings[0]?.permanent_affiliate ?? false;
    const sponsor = sponsorAfterDecision(counted, state, isPermanent);
    return sponsor
      ? [withSponsor(row, state, sponsor, { except: allOrders(countedBy(risk_id)), now })]
      : [];
  });
  return {
    write: changes.flatMap(({ write }) => write),
    events: changes.flatMap(({ events }) => events),
  };
}

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
