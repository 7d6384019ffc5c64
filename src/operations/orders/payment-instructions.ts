import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findOrder } from '../../queries/orders.ts';
import { findSettings } from '../../queries/settings.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { openPage } from '../../domain/payment/sessions.ts';
import { paymentInstructions } from '../../domain/payment/rules.ts';
import { PaymentInstructions } from '../../domain/payment/schemas.ts';
import { findSessions } from '../../queries/payment-sessions.ts';

const read = prepared({ id: 'bigint' }, ({ id }) => ({
  found: findOrder(id),
  settings: findSettings(),
  sessions: findSessions(id),
}));

export const getPaymentInstructions = endpoint({
  id: 'orders.paymentInstructions',
  route: ['GET /orders/:id/payment-instructions'],
  summary: 'Get the payment instructions of an order',
  description:
    'The amount to pay, the accounts to pay it to, and the steps for the buyer. `amount_due` is 0 when nothing is due.',
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(PaymentInstructions)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, config, now }) => {
  const { found, settings, sessions } = await db.query(read(params));
  if (!found[0] || !settings[0]) return refuse('rest_not_found');
  const { order } = found[0];
  const page = openPage(sessions, order, now);
  return one(paymentInstructions(order, settings[0], gatewaysOf(config), page));
});
