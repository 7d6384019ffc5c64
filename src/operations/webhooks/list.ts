import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countWebhooks, listWebhooks } from '../../queries/webhooks.ts';
import { toWebhook } from '../../domain/webhook/rules.ts';
import { Webhook, WebhookQuery } from '../../domain/webhook/schemas.ts';

export const listWebhooksEndpoint = endpoint({
  id: 'webhooks.list',
  route: ['GET /webhooks'],
  summary: 'List webhooks',
  access: apiKey('webhooks:read'),
  effect: 'read',
  query: WebhookQuery,
  reply: [200, page(Webhook)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listWebhooks, count: countWebhooks, show: toWebhook }),
);
