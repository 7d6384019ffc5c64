import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { findFigures } from '../../queries/webhook-log.ts';
import { findWebhook } from '../../queries/webhooks.ts';
import { FiguresQuery, WebhookFigures } from '../../domain/webhook/schemas.ts';

export const getWebhookFigures = endpoint({
  id: 'webhooks.figures',
  route: ['GET /webhooks/:id/figures'],
  summary: 'Get the daily figures of a webhook',
  description: "Attempts by day in the store's time zone, the oldest day first, today last.",
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: IdParams,
  query: FiguresQuery,
  reply: [200, record(WebhookFigures)],
  errors: ['rest_not_found'],
}).handle(async ({ params: { id }, query: { days = 30 }, db, now }) => {
  const { webhook, settings, figures } = await db.query({
    webhook: findWebhook(id),
    settings: findSettings(),
    figures: findFigures(id, days, now),
  });
  if (!webhook[0]) return refuse('rest_not_found');
  return one({
    webhook_id: id,
    timezone: settings[0]?.timezone ?? '',
    days: figures.rows.map(({ date, delivered, failed, pending }) => ({
      date,
      delivered: Number(delivered),
      failed: Number(failed),
      pending: Number(pending),
    })),
  });
});
