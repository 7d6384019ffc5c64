import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { findOrder } from '../../queries/orders.ts';
import { findSettings } from '../../queries/settings.ts';
import { redirectGateways } from '../../domain/payment/gateways/index.ts';
import {
  amountDue,
  gatewayOf,
  newPayment,
  openSession,
  toSession,
} from '../../domain/payment/rules.ts';
import { GatewaySession } from '../../domain/payment/schemas.ts';
import { findSessions, insertSession } from '../../queries/payment-sessions.ts';

const notInThisUnit =
  'The gateway of this order does not count its currency in the unit the store does.';

export const getPaymentGateway = endpoint({
  id: 'orders.paymentGateway',
  route: ['GET /orders/:id/payment-gateway'],
  summary: 'Open a payment session for an order',
  description:
    "Returns the order's gateway and the payment session open with its provider. Repeated calls return the same session. A gateway without a provider has none: `session` is null.",
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
