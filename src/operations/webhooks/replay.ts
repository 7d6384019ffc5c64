import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { deliverNow } from '../../kernel/events/delivery.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import {
  beginAnew,
  findWebhook,
  measureReplay,
  replayEvents,
  saveWebhook,
} from '../../queries/webhooks.ts';
import { scopeRefusal, toReplayed, updatedWebhook } from '../../domain/webhook/rules.ts';
import { Replayed, WebhookReplay } from '../../domain/webhook/schemas.ts';

export const replayWebhook = endpoint({
  id: 'webhooks.replay',
  route: ['POST /webhooks/:id/replay'],
  summary: 'Replay the events since a given time',
  description:
    'Sends all of these events, delivered before or not, each under its original `webhook-id`: a receiver that remembers the ids it has seen takes only what it missed. A paused webhook becomes active. The key needs the scopes that read what is sent and what the webhook subscribes to.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  body: WebhookReplay,
  reply: [200, record(Replayed)],
  errors: ['rest_not_found', 'rest_forbidden', 'webhook_not_active'],
}).handle(async ({ params: { id }, body, db, principal, now, after }) => {
  const answer = await db.change({
    load: { found: findWebhook(id), measured: measureReplay(id, body.from) },
    decide: ({ found: [before], measured }) => {
      if (!before) return refuse('rest_not_found');
      const [measure] = measured.rows;
      const carried = [...before.webhook.events, ...(measure?.events ?? [])];
      const refused = scopeRefusal(principal, carried);
      if (refused) return refused;
      if (before.webhook.status === 'disabled') return refuse('webhook_not_active');
      const webhook = updatedWebhook(before, { status: 'active' }, now);
      return {
        write: [
          replayEvents(id, body.from, now),
          ...beginAnew(id, now),
          ...(webhook === before ? [] : [saveWebhook(before, webhook)]),
        ],
        reply: one(toReplayed(id, measure)),
      };
    },
  });
  if (!isRefusal(answer)) after(deliverNow);
  return answer;
});
