import * as z from 'zod';
import { apiKey, open } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, record } from '../../http/envelope.ts';
import { isRefusal, refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { effectErrors } from '../orders/effects.ts';
import { loadOrderUpdate, planUpdate } from '../orders/plan.ts';
import { findOrder } from '../orders/queries.ts';
import { isUnpaid } from '../orders/transitions.ts';
import { decideStatus } from '../orders/update.ts';
import { findSettings } from '../platform/queries.ts';
import { redirectGateways } from './gateways/index.ts';
import { amountDue, gatewayOf, newPayment, openSession, paidStatus, toSession } from './rules.ts';
import { GatewaySession } from './schemas.ts';
import {
  findEvent,
  findSession,
  findSessions,
  insertSession,
  orderOfSession,
  takeEvent,
} from './session-queries.ts';

const notInThisUnit =
  'The gateway of this order does not count its currency in the unit the store does.';

export const getPaymentGateway = endpoint({
  id: 'orders.paymentGateway',
  route: ['GET /orders/:id/payment-gateway'],
  summary: 'Open the payment of an order at its gateway',
  description:
    'Answers with the gateway and the payment that is open at its provider; repeats answer with the same. Gateways without a provider have no session.',
  access: apiKey('orders:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, record(GatewaySession)],
  errors: ['rest_not_found', 'order_not_payable', 'gateway_unavailable'],
  // A repeat answers with the open payment by itself, and its address is for the buyer alone.
  secretReply: true,
}).handle(async ({ params, db, config, outbound, now }) => {
  const redirects = redirectGateways(config);
  const { found, settings, sessions } = await db.query({
    found: findOrder(params.id),
    settings: findSettings(),
    sessions: findSessions(params.id),
  });
  if (!found[0] || !settings[0]) return refuse('rest_not_found');
  const { order, product } = found[0];
  const gateway = gatewayOf(order, settings[0], redirects);
  if (!gateway || amountDue(order) === 0) return refuse('order_not_payable');
  const base = { order_id: order.id, gateway };
  const redirect = redirects.find(({ id }) => id === gateway.id);
  if (redirect && !gateway.active) return refuse('order_not_payable', { message: notInThisUnit });
  if (!redirect) return one({ ...base, session: null, reused: false });
  const current = openSession(sessions, order, now);
  if (current) return one({ ...base, session: toSession(current), reused: true });
  const payment = newPayment(order, product.title, sessions.length, settings[0], config);
  const created = await redirect.create(payment, outbound).catch(() => undefined);
  if (!created) return refuse('gateway_unavailable', { retryAfter: 5 });
  return db.change({
    load: {},
    decide: () => ({
      write: insertSession(order, gateway.id, payment.amount, created, now),
      reply: one({ ...base, session: { ...created, status: 'created' }, reused: false }),
    }),
  });
});

export const receivePaymentEvent = endpoint({
  id: 'payments.callback',
  route: ['POST /payments/:gateway/callback'],
  summary: "Receive a payment provider's event",
  description:
    'Called by the provider of a redirect gateway. Each event counts once, and only with the signature of the provider.',
  access: open('the provider proves itself by its signature'),
  effect: 'write',
  conditional: false,
  params: z.object({ gateway: z.string().max(32) }),
  body: z.looseObject({}),
  reply: [200, z.object({ received: z.literal(true) })],
  errors: ['rest_not_found', 'rest_invalid_param', 'out_of_stock', ...effectErrors],
}).handle(async ({ params, db, config, request, principal, now }) => {
  const received = { received: true as const };
  const gateway = redirectGateways(config).find(({ id }) => id === params.gateway);
  if (!gateway) return refuse('rest_not_found');
  const event = await gateway.readEvent(await request.text(), (name) => request.header(name), now);
  if (event === null) {
    return refuse('rest_invalid_param', { message: 'The signature is not that of the provider.' });
  }
  if (event === undefined) return received;
  return db.change({
    load: {
      ...loadOrderUpdate(orderOfSession(gateway.id, event.session_id)),
      session: findSession(gateway.id, event.session_id),
      seen: findEvent(gateway.id, event.id),
    },
    decide: (loaded) => {
      const nothing = { write: [], reply: received };
      const [session] = loaded.session;
      const [row] = loaded.found;
      if (!session || loaded.seen.length > 0) return nothing;
      const taken = takeEvent(gateway.id, event, now);
      if (event.outcome !== 'paid' || !row || !isUnpaid(row.order.status)) {
        return { write: taken, reply: received };
      }
      const status = paidStatus(event, row);
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const updated = decideStatus(loaded, { status, note: `Paid by ${gateway.id}.` }, request);
      const plan = isRefusal(updated) ? updated : planUpdate(updated, loaded);
      if (isRefusal(plan)) return { write: taken, reply: received };
      return { write: [...taken, ...plan.write], events: plan.events, reply: received };
    },
  });
});
