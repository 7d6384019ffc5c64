import { eraseTraces } from '../../queries/erasure.ts';
import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Deleted, deletedRecord, one } from '../../kernel/endpoint/envelope.ts';
import { isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { userEvent } from '../../domain/user/events.ts';
import { findUser, saveUser } from '../../queries/users.ts';
import { administratorRefusal, anonymisedUser } from '../../domain/user/rules.ts';

export const deleteUser = endpoint({
  id: 'users.delete',
  route: ['DELETE /users/:id'],
  summary: 'Delete a user',
  description: `Not for administrators: their role is taken first. It ends every session and cancels reminders, and erases for good:

- the user's name, e-mail, phone, address, country, bank account, group, \`meta\` and external ids, their wishes, and pictures they uploaded, but creatives;
- of their orders the receiver's name, phone, address and postal code, \`note\`, \`meta\`, and the notes in the history;
- who paid from which account, with the proof, the note and the \`reject_reason\`; reasons of refunds;
- recipients and texts of their reminders, and notes on their access, their licences, their commissions and those of their orders; \`meta\` of licences, labels and \`meta\` of activations;
- answers kept for an \`Idempotency-Key\` that show the user or a record of theirs: such a request is no longer answered as before.

The records themselves stay, with products, dates, amounts and ids, and so do: the country, courier, tracking number and tracking address of an order; the bank names and the amount of a confirmation; ids and addresses of payments at their providers; codes of their coupons; the strings that licences are registered for, which hold the seats; method and reference of payouts; and who is above and below them in the tree. Until the end of their term stay what was sent to webhooks, in their log, the reasons of administrators for acting as the user, in the audit log, and answers kept for an \`Idempotency-Key\` that only name the user as the affiliate of somebody else's order.`,
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
          write: [...saveUser(before, after), ...eraseTraces(params.id, now)],
          events: [userEvent('user.deleted', deletedRecord(params.id))],
          reply: one(deletedRecord(params.id)),
        }
      );
    },
  }),
);
