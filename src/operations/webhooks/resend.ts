import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { deliverRequested } from '../../kernel/events/delivery.ts';
import { webhookId } from '../../kernel/events/send.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findAttempt } from '../../queries/webhook-log.ts';
import { findWebhook, resendEvent } from '../../queries/webhooks.ts';
import { scopeRefusal } from '../../domain/webhook/rules.ts';
import { DeliveryParams, WebhookTest } from '../../domain/webhook/schemas.ts';

export const resendDelivery = endpoint({
  id: 'webhooks.resend',
  route: ['POST /webhooks/:id/deliveries/:log_id/resend'],
  summary: 'Resend the event of a delivery',
  description:
    'Sends the event at once, even to a failing webhook, under its original `webhook-id`, whether or not it was delivered before. The attempt is logged as a new delivery a moment later. The key needs the scope that reads what the event carries.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  conditional: false,
  params: DeliveryParams,
  reply: [200, record(WebhookTest)],
  errors: ['rest_not_found', 'rest_forbidden', 'webhook_not_active'],
}).handle(async ({ params: { id, log_id }, db, principal, now, after }) => {
  const answer = await db.change({
    load: { found: findWebhook(id), attempts: findAttempt(id, log_id) },
    decide: ({ found: [row], attempts: [attempt] }) => {
      if (!row || !attempt) return refuse('rest_not_found');
      const refused = scopeRefusal(principal, [attempt.event]);
      if (refused) return refused;
      if (row.webhook.status !== 'active') return refuse('webhook_not_active');
      return {
        write: [resendEvent(attempt.outbox_id, now)],
        reply: one({ webhook_id: id, event_id: webhookId(attempt.event_id) }),
      };
    },
  });
  if (!isRefusal(answer))
    after((courier) => deliverRequested(courier, { webhook_id: id, at: now }));
  return answer;
});
