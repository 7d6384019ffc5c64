import { apiKey } from '../../auth/access.ts';
import { deliverNow, deliverRequested } from '../../events/delivery.ts';
import { webhookId } from '../../events/send.ts';
import { webhookEvent } from '../../events/webhook-events.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, page, record } from '../../http/envelope.ts';
import { isRefusal, refuse } from '../../http/errors.ts';
import { pageOf, pageWindow } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import {
  beginAnew,
  countAttempts,
  findAttempt,
  findWebhook,
  listAttempts,
  measureReplay,
  replayEvents,
  resendEvent,
  saveWebhook,
} from './queries.ts';
import { scopeRefusal, toDelivery, updatedWebhook } from './rules.ts';
import {
  DeliveryParams,
  DeliveryQuery,
  Replayed,
  WebhookDelivery,
  WebhookReplay,
  WebhookTest,
} from './schemas.ts';

export const listDeliveries = endpoint({
  id: 'webhooks.deliveries',
  route: ['GET /webhooks/:id/deliveries'],
  summary: 'List the deliveries of a webhook',
  description:
    'Every finished attempt, newest first, with what the receiver answered: to keys that may read what the event carries.',
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: IdParams,
  query: DeliveryQuery,
  reply: [200, page(WebhookDelivery)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, principal }) => {
  const window = pageWindow(query);
  const { found, rows, counted } = await db.query({
    found: findWebhook(params.id),
    rows: listAttempts(params.id, query, window),
    counted: countAttempts(params.id, query),
  });
  if (!found[0]) return refuse('rest_not_found');
  const shown = rows.map((row) => toDelivery(row, principal));
  return pageOf(query, shown, window.counted ? counted[0]?.total : undefined);
});

export const testWebhook = endpoint({
  id: 'webhooks.test',
  route: ['POST /webhooks/:id/test'],
  summary: 'Send a test event',
  description:
    'A `ping`, on the way every event takes: what became of it is in the deliveries and the feed a moment later.',
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

export const replayWebhook = endpoint({
  id: 'webhooks.replay',
  route: ['POST /webhooks/:id/replay'],
  summary: 'Send the events since a moment again',
  description:
    'All of them, delivered before or not, each under its first `webhook-id`: a receiver that keeps the ids it has seen takes only what it missed. A paused webhook becomes active. The key needs the scopes that read what is sent, and what the webhook asks for.',
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
      const { replayed = 0, events = [], next_from = null } = measured.rows[0] ?? {};
      const refused = scopeRefusal(principal, [...before.webhook.events, ...events]);
      if (refused) return refused;
      if (before.webhook.status === 'disabled') return refuse('webhook_not_active');
      const webhook = updatedWebhook(before, { status: 'active' }, now);
      return {
        write: [
          replayEvents(id, body.from, now),
          ...beginAnew(id, now),
          ...(webhook === before ? [] : [saveWebhook(before.webhook.version, webhook)]),
        ],
        reply: one({
          webhook_id: id,
          replayed,
          next_from: next_from && new Date(next_from).toISOString(),
        }),
      };
    },
  });
  if (!isRefusal(answer)) after(deliverNow);
  return answer;
});

export const resendDelivery = endpoint({
  id: 'webhooks.resend',
  route: ['POST /webhooks/:id/deliveries/:log_id/resend'],
  summary: 'Send the event of a delivery again',
  description:
    'Under its first `webhook-id`, whatever became of it. The attempt is a new delivery. The key needs the scope that reads what the event carries.',
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
