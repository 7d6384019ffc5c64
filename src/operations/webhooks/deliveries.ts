import { apiKey, endpoint, IdParams, page } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { pageWindow } from '../../kernel/lists/window.ts';
import { countAttempts, listAttempts } from '../../queries/webhook-log.ts';
import { findWebhook } from '../../queries/webhooks.ts';
import { toDelivery } from '../../domain/webhook/rules.ts';
import { DeliveryQuery, WebhookDelivery } from '../../domain/webhook/schemas.ts';

export const listDeliveries = endpoint({
  id: 'webhooks.deliveries',
  route: ['GET /webhooks/:id/deliveries'],
  summary: 'List the deliveries of a webhook',
  description:
    "Every finished attempt, newest first. Filters combine. The receiver's answer is shown only to keys that may read what the event carries.",
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
