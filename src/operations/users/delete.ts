import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Deleted, one } from '../../kernel/endpoint/envelope.ts';
import { isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { userEvent } from '../../domain/user/events.ts';
import { forgetPayer } from '../../queries/confirmations.ts';
import { forgetMedia } from '../../queries/media.ts';
import { forgetRecipient } from '../../queries/reminders.ts';
import { eraseAddresses, findUser, saveUser } from '../../queries/users.ts';
import { administratorRefusal, anonymisedUser } from '../../domain/user/rules.ts';

export const deleteUser = endpoint({
  id: 'users.delete',
  route: ['DELETE /users/:id'],
  summary: 'Delete a user',
  description:
    'Not for administrators: their role is taken first. Erases everything personal, addresses in orders, uploaded pictures and what was said of payments included, ends every session and cancels reminders. Orders and commissions stay, without a name. What was sent to webhooks before stays in their log until its term.',
  access: apiKey('users:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: { found: findUser(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.user)) return refuse('rest_conflict');
      const after = anonymisedUser(before, now);
      return (
        administratorRefusal(before, after, principal) ?? {
          write: [
            ...saveUser(before, after),
            eraseAddresses(params.id, now),
            forgetMedia(params.id, now),
            forgetPayer(params.id, now),
            forgetRecipient(params.id, now),
          ],
          events: [userEvent('user.deleted', { id: params.id, deleted: true })],
          reply: one({ id: params.id, deleted: true as const }),
        }
      );
    },
  }),
);
