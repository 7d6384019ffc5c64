import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { findWebhook, hideWebhook } from '../../queries/webhooks.ts';
import { deletedWebhook } from '../../domain/webhook/rules.ts';

export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  route: ['DELETE /webhooks/:id'],
  summary: 'Delete a webhook',
  description: 'Also deletes its delivery log and what still waits to be sent.',
  access: apiKey('webhooks:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findWebhook(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'webhook');
      if (isRefusal(before)) return before;
      return {
        write: [hideWebhook(before, deletedWebhook(before, now))],
        reply: deleted(params.id),
      };
    },
  }),
);
