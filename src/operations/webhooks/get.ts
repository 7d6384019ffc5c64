import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findWebhook } from '../../queries/webhooks.ts';
import { toWebhook } from '../../domain/webhook/rules.ts';
import { Webhook } from '../../domain/webhook/schemas.ts';

export const getWebhook = endpoint({
  id: 'webhooks.get',
  route: ['GET /webhooks/:id'],
  summary: 'Get a webhook',
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Webhook)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findWebhook(params.id) });
  return found[0] ? one(toWebhook(found[0])) : refuse('rest_not_found');
});
