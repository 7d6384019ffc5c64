import { eraseTraces } from '../../queries/erasure.ts';
import {
  apiKey,
  deleted,
  Deleted,
  deletedRecord,
  endpoint,
  IdParams,
} from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { userEvent } from '../../domain/user/events.ts';
import { findUser } from '../../queries/users.ts';
import { saveUser } from '../../queries/user-writes.ts';
import { isStaff } from '../../domain/user/capabilities.ts';
import { anonymisedUser } from '../../domain/user/rules.ts';

export const deleteUser = endpoint({
  id: 'users.delete',
  route: ['DELETE /users/:id'],
  summary: 'Delete a user',
  description: `Anonymises the user. A user with a role in the console must lose that role first. Ends every session, cancels reminders, and permanently erases:

- the user's name, e-mail, phone, address, country, bank account, group, \`meta\` and external ids, their wishes, and the pictures they uploaded, except creatives;
- in their orders, the receiver's name, phone, address and postal code, \`note\`, \`meta\`, and the notes in the history;
- in their payment confirmations, the sender, their bank, the account number, the proof, the note and the \`reject_reason\`; the reasons of refunds; and the descriptions of bank mutations that paid their orders;
- recipients and texts of messages and reminders to them, also of those that somebody had sent to their address, and why those failed; notes on their access, on their subscriptions and why they cancelled them, on their licences, on their commissions and on those of their orders; \`meta\` of licences; labels and \`meta\` of activations;
- responses stored for an \`Idempotency-Key\` that show the user or one of their records: a repeated request is then refused with \`rest_idempotency_mismatch\`.

The records themselves are kept, with products, dates, amounts and ids. Also kept are the country, courier, tracking number and tracking URL of orders; the amounts of confirmations and the accounts they name as the store's; the ids and addresses of payments at their providers; the codes of their coupons; the strings that licences are registered for, which hold the seats; method and reference of payouts; and the user's place in the tree. Until their retention period ends, three things remain: what was sent to webhooks, in the delivery log; administrators' reasons for acting as the user, in the audit log; and responses stored for an \`Idempotency-Key\` that name the user only as the affiliate of somebody else's order.`,
  access: apiKey('users:delete'),
  effect: 'write',
  fresh: true,
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findUser(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'user');
      if (isRefusal(before)) return before;
      const after = anonymisedUser(before, now);
      if (isStaff(before.user)) {
        return refuse('rest_forbidden', {
          message: 'A user with a role in the console must lose that role first.',
        });
      }
      return {
        write: [...saveUser(before, after), ...eraseTraces(before.user, now)],
        events: [userEvent('user.deleted', deletedRecord(params.id))],
        reply: deleted(params.id),
      };
    },
  }),
);
