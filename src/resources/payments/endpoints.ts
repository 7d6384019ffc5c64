import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { collection, one, record } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { findOrder } from '../orders/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { redirectGateways } from './gateways/index.ts';
import { gatewaysOf, openSession, paymentInstructions } from './rules.ts';
import { Gateway, PaymentInstructions } from './schemas.ts';
import { findSessions } from './session-queries.ts';

export const listGateways = endpoint({
  id: 'payments.gateways',
  route: ['GET /payments/gateways'],
  summary: 'List the ways to pay',
  access: apiKey('payments:read'),
  effect: 'read',
  reply: [200, collection(Gateway)],
}).handle(async ({ db, config }) => {
  const { settings } = await db.query({ settings: findSettings() });
  return one(settings.flatMap((row) => gatewaysOf(row, redirectGateways(config))));
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
}).handle(async ({ params, db, config, now }) => {
  const { found, settings, sessions } = await db.query({
    found: findOrder(params.id),
    settings: findSettings(),
    sessions: findSessions(params.id),
  });
  if (!found[0] || !settings[0]) return refuse('rest_not_found');
  const { order } = found[0];
  const session = openSession(sessions, order, now);
  return one(paymentInstructions(order, settings[0], redirectGateways(config), session));
});
