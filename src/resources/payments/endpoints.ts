import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { collection, one, record } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { findOrder } from '../orders/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { amountDue, gatewayOf, gatewaysOf, paymentInstructions } from './rules.ts';
import { Gateway, GatewaySession, PaymentInstructions } from './schemas.ts';

export const listGateways = endpoint({
  id: 'payments.gateways',
  route: ['GET /payments/gateways'],
  summary: 'List the ways to pay',
  access: apiKey('payments:read'),
  effect: 'read',
  reply: [200, collection(Gateway)],
}).handle(async ({ db }) => {
  const { settings } = await db.query({ settings: findSettings() });
  return one(settings.flatMap((row) => gatewaysOf(row)));
});

export const getPaymentInstructions = endpoint({
  id: 'orders.paymentInstructions',
  route: ['GET /orders/:id/payment-instructions'],
  summary: 'Read how an order is to be paid',
  description: 'The amount, the accounts and the steps for the buyer; nothing due is 0.',
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(PaymentInstructions)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, settings } = await db.query({
    found: findOrder(params.id),
    settings: findSettings(),
  });
  if (!found[0] || !settings[0]) return refuse('rest_not_found');
  return one(paymentInstructions(found[0].order, settings[0]));
});

export const getPaymentGateway = endpoint({
  id: 'orders.paymentGateway',
  route: ['GET /orders/:id/payment-gateway'],
  summary: 'Open the payment of an order at its gateway',
  description:
    'Answers with the gateway and the open payment at its provider, if it has one; repeats answer with the same.',
  access: apiKey('orders:write'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(GatewaySession)],
  errors: ['rest_not_found', 'order_not_payable'],
}).handle(async ({ params, db }) => {
  const { found, settings } = await db.query({
    found: findOrder(params.id),
    settings: findSettings(),
  });
  if (!found[0] || !settings[0]) return refuse('rest_not_found');
  const { order } = found[0];
  const gateway = gatewayOf(order, settings[0]);
  if (!gateway || amountDue(order) === 0) return refuse('order_not_payable');
  return one({ order_id: order.id, gateway, session: null, reused: false });
});
