import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { isRefusal, isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { findOutlook, findReminder, saveReminder } from '../../queries/reminders.ts';
import { updatedReminder } from '../../domain/reminder/rules.ts';
import { ReminderReply, ReminderUpdate } from '../../domain/reminder/schemas.ts';
import { whileAwaited } from '../../queries/order-guards.ts';

export const updateReminder = endpoint({
  id: 'reminders.update',
  route: ['POST /reminders/:id'],
  summary: 'Update a reminder',
  description:
    'A partial update of one that waits or was cancelled. A reminder of a payment can only wait while its order does, and one that was cancelled only with somebody to send it to.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  body: ReminderUpdate,
  reply: [200, ReminderReply],
  errors: ['rest_not_found', 'reminder_not_pending', 'reminder_no_recipient', 'order_not_payable'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findReminder(params.id), outlook: findOutlook(params.id) },
    decide: ({ found: [before], outlook: [outlook] }) => {
      if (!before || !outlook) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const after = updatedReminder(before, body, outlook, now);
      if (isRefusal(after)) return after;
      return {
        write: after === before ? [] : [...whileAwaited(after), saveReminder(before, after)],
        reply: one(after),
      };
    },
  }),
);
