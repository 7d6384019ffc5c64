import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findAttempt, findSent, listAttemptsBeside } from '../../queries/webhook-log.ts';
import { findWebhook } from '../../queries/webhooks.ts';
import { toWholeDelivery } from '../../domain/webhook/rules.ts';
import { DeliveryParams, WholeDelivery } from '../../domain/webhook/schemas.ts';

export const getDelivery = endpoint({
  id: 'webhooks.delivery',
  route: ['GET /webhooks/:id/deliveries/:log_id'],
  summary: 'Get a delivery',
  description:
    'With the headers and the body that were sent, and every attempt to deliver the same event. What the event carries, and what the receiver answered, is shown only to keys that may read it.',
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: DeliveryParams,
  reply: [200, record(WholeDelivery)],
  errors: ['rest_not_found'],
}).handle(async ({ params: { id, log_id }, db, principal }) => {
  const { webhook, attempt, sent, attempts } = await db.query({
    webhook: findWebhook(id),
    attempt: findAttempt(id, log_id),
    sent: findSent(id, log_id),
    attempts: listAttemptsBeside(id, log_id),
  });
  if (!webhook[0] || !attempt[0] || !sent[0]) return refuse('rest_not_found');
  return one(toWholeDelivery(attempt[0], sent[0], attempts, principal));
});
