import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { newSecret } from '../../kernel/events/signing.ts';
import { insertWebhook } from '../../queries/webhooks.ts';
import { addressRefusal, newWebhook, scopeRefusal, toWebhook } from '../../domain/webhook/rules.ts';
import { WebhookCreate, WebhookWithSecret } from '../../domain/webhook/schemas.ts';

export const createWebhook = endpoint({
  id: 'webhooks.create',
  route: ['POST /webhooks'],
  summary: 'Create a webhook',
  description:
    'From now on, events are sent to its URL as they happen, signed as Standard Webhooks prescribes. The key needs the scopes that read what the events carry: `orders:read` for `order.*`, and for `*` the `…:read` scope of every record that has events. This response is the only one to show the secret; it is therefore not stored for an `Idempotency-Key`, and a repeat creates another webhook. If the response is lost, find the webhook in `GET /webhooks` and rotate its secret. A store has at most 50 webhooks.',
  access: apiKey('webhooks:write'),
  fresh: true,
  effect: 'write',
  secretReply: true,
  body: WebhookCreate,
  reply: [201, record(WebhookWithSecret)],
  errors: ['rest_invalid_param', 'rest_forbidden', 'webhook_limit'],
}).handle(async ({ body, db, config, principal, now }) =>
  db.change({
    load: { id: drawId('webhooks') },
    decide: ({ id }) => {
      const webhook = newWebhook(body, nextId(id), now);
      const secret = newSecret();
      return (
        scopeRefusal(principal, webhook.webhook.events) ??
        addressRefusal(webhook, config) ?? {
          write: insertWebhook(webhook, secret),
          reply: one({ ...toWebhook(webhook), secret }),
        }
      );
    },
  }),
);
