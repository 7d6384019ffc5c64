import { apiKey } from '../../auth/access.ts';
import { drawId, nextId, sendIf } from '../../db/statements.ts';
import { newSecret } from '../../events/signing.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse } from '../../http/errors.ts';
import { deliverNow } from '../../events/delivery.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import {
  beginAnew,
  countWebhooks,
  findWaiting,
  findWebhook,
  hideWebhook,
  insertWebhook,
  listWebhooks,
  rotateSecret,
  saveWebhook,
} from './queries.ts';
import {
  addressRefusal,
  beginsAnew,
  deletedWebhook,
  newWebhook,
  pauseEvents,
  redirectedEvents,
  rotatedWebhook,
  scopeRefusal,
  toWebhook,
  updatedWebhook,
} from './rules.ts';
import {
  Webhook,
  WebhookCreate,
  WebhookQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from './schemas.ts';

export const listWebhooksEndpoint = endpoint({
  id: 'webhooks.list',
  route: ['GET /webhooks'],
  summary: 'List webhooks',
  access: apiKey('webhooks:read'),
  effect: 'read',
  query: WebhookQuery,
  reply: [200, page(Webhook)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listWebhooks(query, window),
    () => countWebhooks(query),
  );
  return pageOf(query, rows.map(toWebhook), total);
});

export const getWebhook = endpoint({
  id: 'webhooks.get',
  route: ['GET /webhooks/:id'],
  summary: 'Read a webhook',
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Webhook)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findWebhook(params.id) });
  return found[0] ? one(toWebhook(found[0])) : refuse('rest_not_found');
});

export const createWebhook = endpoint({
  id: 'webhooks.create',
  route: ['POST /webhooks'],
  summary: 'Create a webhook',
  description:
    'Events from now on are sent to its address as they happen, signed as Standard Webhooks prescribes. The key needs the scopes that read what they carry: `orders:read` for `order.*`, every `…:read` of a record with events for `*`. The answer shows the secret, and no other ever does; so it is not kept for an `Idempotency-Key`, and a repeat makes another webhook. Where the answer got lost, look for the webhook in `GET /webhooks` and rotate its secret.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  secretReply: true,
  body: WebhookCreate,
  reply: [201, record(WebhookWithSecret)],
  errors: ['rest_invalid_param', 'rest_forbidden'],
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

export const updateWebhookEndpoint = endpoint({
  id: 'webhooks.update',
  route: ['PATCH /webhooks/:id', 'PUT /webhooks/:id', 'POST /webhooks/:id'],
  summary: 'Update a webhook',
  description:
    'A partial update under each of the three methods. Setting a paused webhook `active`, or its address, has everything that waits for it sent at once. To change what it is sent, the key needs the scopes that read the events before and after; to change its address, also those of everything that still waits for it.',
  access: apiKey('webhooks:write'),
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
    decide: ({ found: [before], waiting }) => {
      if (!before) return refuse('rest_not_found');
      const webhook = updatedWebhook(before, body, now);
      const events = waiting.map(({ event }) => event);
      const refused = scopeRefusal(principal, redirectedEvents(before, webhook, events));
      if (refused) return refused;
      if (isStale(ifMatch, before.webhook)) return refuse('rest_conflict');
      return (
        (body.url && addressRefusal(webhook, config)) || {
          write: [
            ...(beginsAnew(before, webhook) ? beginAnew(params.id, now) : []),
            ...(webhook === before ? [] : [saveWebhook(before.webhook.version, webhook)]),
          ],
          events: pauseEvents(before, webhook),
          reply: one(toWebhook(webhook)),
        }
      );
    },
  });
  if (!isRefusal(answer) && (body.status ?? body.url)) after(deliverNow);
  return answer;
});

export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotate',
  route: ['POST /webhooks/:id/rotate'],
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours deliveries carry a signature by each of the two secrets. The answer shows the new one, and no other ever does. A repeat rotates again: only the last two secrets sign, so give the receiver the new one before you rotate once more.',
  access: apiKey('webhooks:write'),
  effect: 'write',
  secretReply: true,
  params: IdParams,
  reply: [200, record(WebhookWithSecret)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findWebhook(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.webhook)) return refuse('rest_conflict');
      const webhook = rotatedWebhook(before, now);
      const secret = newSecret();
      return {
        write: [rotateSecret(before.webhook.version, webhook, secret)],
        reply: one({ ...toWebhook(webhook), secret }),
      };
    },
  }),
);

export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  route: ['DELETE /webhooks/:id'],
  summary: 'Delete a webhook',
  description: 'With its log, and what still waits for it.',
  access: apiKey('webhooks:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findWebhook(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.webhook)) return refuse('rest_conflict');
      return {
        write: [hideWebhook(before.webhook.version, deletedWebhook(before, now))],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
