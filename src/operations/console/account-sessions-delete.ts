import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { AccountSessionParams, EndedAccountSession } from '../../domain/console/schemas.ts';
import { deleteAccountSession, findAccountSession } from '../../queries/accounts.ts';

export const endAccountSession = endpoint({
  id: 'console.accountSessions.delete',
  namespace: 'console',
  route: ['DELETE /account-sessions/:id'],
  summary: 'End a session of a member in the shop',
  description: 'Its next request is refused.',
  access: consoleSession('manage_options'),
  effect: 'write',
  params: AccountSessionParams,
  reply: [200, EndedAccountSession],
  errors: ['rest_not_found'],
  conditional: false,
}).handle(async ({ params, db }) =>
  db.change({
    load: { found: findAccountSession(params.id) },
    decide: ({ found: [row] }) =>
      row
        ? {
            write: [deleteAccountSession(params.id)],
            audit: { record: row.user_id },
            reply: one({ id: params.id, ended: true as const }),
          }
        : refuse('rest_not_found'),
  }),
);
