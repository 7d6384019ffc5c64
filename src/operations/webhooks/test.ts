import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { deliverRequested } from '../../kernel/events/delivery.ts';
import { webhookId } from '../../kernel/events/send.ts';
import { webhookEvent } from '../../kernel/events/webhook-events.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findWebhook } from '../../queries/webhooks.ts';
import { WebhookTest } from '../../domain/webhook/schemas.ts';

export const testWebhook = endpoint({
  id: 'webhooks.test',
  route: ['POST /webhooks/:id/test'],
  summary: 'Send a test event',
  description:
    'Sends a `ping` the way every event is sent; its outcome appears in the deliveries and the feed a moment later.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, record(WebhookTest)],
  errors: ['rest_not_found', 'webhook_not_active'],
}).handle(async ({ params: { id }, db, now, after }) => {
  const answer = await db.change({
    load: { found: findWebhook(id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_not_found');
      const { name, url, status } = row.webhook;
      if (status !== 'active') return refuse('webhook_not_active');
      const event = webhookEvent('ping', { id, name, url }, { webhook: id });
      return {
        write: [],
        events: [event],
        reply: one({ webhook_id: id, event_id: webhookId(event.id) }),
      };
    },
  });
  if (!isRefusal(answer))
    after((courier) => deliverRequested(courier, { webhook_id: id, at: now }));
  return answer;
});
