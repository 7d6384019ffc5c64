import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { newSecret } from '../../kernel/events/signing.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findWebhook, rotateSecret } from '../../queries/webhooks.ts';
import { rotatedWebhook, scopeRefusal, toWebhook } from '../../domain/webhook/rules.ts';
import { WebhookWithSecret } from '../../domain/webhook/schemas.ts';

export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotate',
  route: ['POST /webhooks/:id/rotate'],
  summary: 'Rotate the secret of a webhook',
  description:
    'For 24 hours, deliveries are signed with both the old and the new secret. This response is the only one to show the new secret. A repeat rotates again, and only the last two secrets sign: give the receiver the new one before you rotate once more. Because whoever has the secret can sign events as the store does, the key needs the scopes that read the events of the webhook.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  secretReply: true,
  fresh: true,
  params: IdParams,
  reply: [200, record(WebhookWithSecret)],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: { found: findWebhook(params.id) },
    decide: ({ found }) => {
      const [before] = found;
      if (!before) return refuse('rest_not_found');
      const refused = scopeRefusal(principal, before.webhook.events);
      if (refused) return refused;
      const unmoved = current(found, ifMatch, 'webhook');
      if (isRefusal(unmoved)) return unmoved;
      const webhook = rotatedWebhook(before, now);
      const secret = newSecret();
      return {
        write: [rotateSecret(before, webhook, secret)],
        reply: one({ ...toWebhook(webhook), secret }),
      };
    },
  }),
);
