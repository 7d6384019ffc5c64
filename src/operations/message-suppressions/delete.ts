import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { guard } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findSuppression, removeSuppression } from '../../queries/message-receipts.ts';

export const deleteSuppression = endpoint({
  id: 'messageSuppressions.delete',
  route: ['DELETE /message-suppressions/:id'],
  summary: 'Lift a suppression',
  description: 'Messages are sent to the address again.',
  access: apiKey('messages:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) =>
  db.change({
    load: { found: findSuppression(params.id) },
    decide: ({ found }) =>
      found.length === 0
        ? refuse('rest_not_found')
        : {
            write: [guard(removeSuppression(params.id), 'rest_conflict')],
            reply: deleted(params.id),
          },
  }),
);
