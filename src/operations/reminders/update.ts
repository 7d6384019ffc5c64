import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findOutlook, findReminder, saveReminder } from '../../queries/reminders.ts';
import { updatedReminder } from '../../domain/reminder/rules.ts';
import { reminderScopeRefusal, toReminder } from '../../actions/reminders/showing.ts';
import { ReminderReply, ReminderUpdate } from '../../domain/reminder/schemas.ts';
import { whileAwaited } from '../../queries/order-guards.ts';

export const updateReminder = endpoint({
  id: 'reminders.update',
  route: ['POST /reminders/:id'],
  summary: 'Update a reminder',
  description:
    'Changes only the fields you send, and only while the reminder is pending or cancelled. A payment reminder can be pending only while its order waits for payment; a cancelled reminder can be made pending only if it has a recipient. A `recipient`, placeholders, and texts for a named recipient require `orders:read` as well.',
  access: apiKey('reminders:write'),
  effect: 'write',
  fresh: ['recipient', 'title', 'content'],
  params: IdParams,
  body: ReminderUpdate,
  reply: [200, ReminderReply],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_forbidden',
    'reminder_not_pending',
    'reminder_no_recipient',
    'order_not_payable',
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: { found: findReminder(params.id), outlook: findOutlook(params.id) },
    decide: ({ found, outlook: [outlook] }) => {
      if (!outlook) return refuse('rest_not_found');
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const refusal = reminderScopeRefusal(principal, body, before);
      if (refusal) return refusal;
      const after = updatedReminder(before, body, outlook, now);
      if (isRefusal(after)) return after;
      return {
        write: after === before ? [] : [...whileAwaited(after), saveReminder(before, after)],
        before,
        reply: one(toReminder(after, principal)),
      };
    },
  }),
);
