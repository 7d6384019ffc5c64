import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { sendIf } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { deliverNow } from '../../kernel/events/delivery.ts';
import { beginAnew, findWaiting, findWebhook, saveWebhook } from '../../queries/webhooks.ts';
import {
  addressRefusal,
  beginsAnew,
  pauseEvents,
  redirectedEvents,
  scopeRefusal,
  toWebhook,
  updatedWebhook,
} from '../../domain/webhook/rules.ts';
import { Webhook, WebhookUpdate } from '../../domain/webhook/schemas.ts';

export const updateWebhookEndpoint = endpoint({
  id: 'webhooks.update',
  route: ['PATCH /webhooks/:id', 'PUT /webhooks/:id', 'POST /webhooks/:id'],
  summary: 'Update a webhook',
  description:
    'Changes only the fields you send. Setting a paused webhook to `active`, or changing its URL, sends everything that waits for it at once. To change its events, the key needs the scopes that read them, before and after; to change its URL, also those for everything that still waits to be sent.',
  access: apiKey('webhooks:write'),
  // Its address and events need a fresh sign-in; pausing doesn't.
  fresh: ['url', 'events'],
  effect: 'write',
  params: IdParams,
  body: WebhookUpdate,
  reply: [200, record(Webhook)],
  errors: ['rest_not_found', 'rest_invalid_param', 'rest_forbidden'],
}).handle(async ({ params, body, db, config, principal, ifMatch, now, after }) => {
  const answer = await db.change({
    load: {
      found: findWebhook(params.id),
      waiting: sendIf(body.url !== undefined, () => findWaiting(params.id)),
    },
    decide: ({ found, waiting }) => {
      const [before] = found;
      if (!before) return refuse('rest_not_found');
      const webhook = updatedWebhook(before, body, now);
      const events = waiting.map(({ event }) => event);
      const refused = scopeRefusal(principal, redirectedEvents(before, webhook, events));
      if (refused) return refused;
      // Only callers who may change the webhook learn that it has changed.
      const unmoved = current(found, ifMatch, 'webhook');
      if (isRefusal(unmoved)) return unmoved;
      return (
        (body.url && addressRefusal(webhook, config)) || {
          write: [
            ...(beginsAnew(before, webhook) ? beginAnew(params.id, now) : []),
            ...(webhook === before ? [] : [saveWebhook(before, webhook)]),
          ],
          events: pauseEvents(before, webhook),
          before: toWebhook(before),
          reply: one(toWebhook(webhook)),
        }
      );
    },
  });
  if (!isRefusal(answer) && (body.status ?? body.url)) after(deliverNow);
  return answer;
});
