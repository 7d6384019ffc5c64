import { apiKey } from '../../auth/access.ts';
import type { Results } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { ledgerEvents } from './events.ts';
import { findCommission, holdOrder, loadByHand, saveLedger } from './queries.ts';
import { readCommissions } from './reading.ts';
import { type HandState, decideByHand, decideRemoval, toCommission } from './rules.ts';
import { Commission, CommissionQuery, CommissionUpdate } from './schemas.ts';

export const listCommissionsEndpoint = endpoint({
  id: 'commissions.list',
  route: ['GET /commissions'],
  summary: 'List commissions',
  description:
    'The ledger, newest first: sales, and the adjustments that later changes of their orders brought. Filters combine.',
  access: apiKey('commissions:read'),
  effect: 'read',
  query: CommissionQuery,
  reply: [200, page(Commission)],
}).handle(async ({ query, db, now }) => readCommissions(db, query, now));

export const getCommission = endpoint({
  id: 'commissions.get',
  route: ['GET /commissions/:id'],
  summary: 'Read a commission',
  access: apiKey('commissions:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Commission)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findCommission(params.id) });
  return found[0] ? one(toCommission(found[0], now)) : refuse('rest_not_found');
});

/** What was loaded for a change by hand, as the rules take it. */
function handState(
  {
    found: [row],
    rows,
    order: [order],
    product: [product],
    ids,
  }: Results<ReturnType<typeof loadByHand>>,
  now: Date,
): HandState | undefined {
  if (!row || !order || !product) return undefined;
  const holdDays = product.product.affiliate.hold_days;
  return { row, rows, order, holdDays, ids: ids.rows.map(({ id }) => Number(id)), now };
}

export const updateCommission = endpoint({
  id: 'commissions.update',
  route: ['PATCH /commissions/:id', 'PUT /commissions/:id', 'POST /commissions/:id'],
  summary: 'Update a commission',
  description:
    'A partial update under each of the three methods. One that was paid stays as it is, and an adjustment follows its sale. After a new figure or status the rows of the tier sum to what it earns again: where they would not, an adjustment is added.',
  access: apiKey('commissions:write'),
  effect: 'write',
  params: IdParams,
  body: CommissionUpdate,
  reply: [200, record(Commission)],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'commission_paid',
    'commission_adjustment',
    'commission_not_payable',
  ],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: loadByHand(params.id),
    decide: (loaded) => {
      const state = handState(loaded, now);
      if (!state) return refuse('rest_not_found');
      if (isStale(ifMatch, state.row)) return refuse('rest_conflict');
      const outcome = decideByHand(state, body);
      if (isRefusal(outcome)) return outcome;
      const after = outcome.changed.find(({ id }) => id === params.id) ?? state.row;
      if (after === state.row && outcome.added.length === 0) {
        return { write: [], reply: one(toCommission(after, now)) };
      }
      return {
        write: [holdOrder(state.order.id), ...saveLedger(state.order.id, state.rows, outcome)],
        events: ledgerEvents(state.rows, outcome, now),
        reply: one(toCommission(after, now)),
      };
    },
  }),
);

export const deleteCommission = endpoint({
  id: 'commissions.delete',
  route: ['DELETE /commissions/:id'],
  summary: 'Delete a commission',
  description:
    'Removes it from every list with its adjustments, unless it was paid. Its order never brings it back.',
  access: apiKey('commissions:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'commission_paid', 'commission_adjustment'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: loadByHand(params.id),
    decide: (loaded) => {
      const state = handState(loaded, now);
      if (!state) return refuse('rest_not_found');
      if (isStale(ifMatch, state.row)) return refuse('rest_conflict');
      const outcome = decideRemoval(state);
      if (isRefusal(outcome)) return outcome;
      return {
        write: [holdOrder(state.order.id), ...saveLedger(state.order.id, state.rows, outcome)],
        events: ledgerEvents(state.rows, outcome, now),
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
