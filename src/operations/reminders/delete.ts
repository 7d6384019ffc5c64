import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findReminder, removeReminder } from '../../queries/reminders.ts';

export const deleteReminder = endpoint({
  id: 'reminders.delete',
  route: ['DELETE /reminders/:id'],
  summary: 'Delete a reminder',
  description: 'A pending reminder is then not sent.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'reminder_sending'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findReminder(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      if (before.status === 'sending') return refuse('reminder_sending');
      return { write: [removeReminder(before)], reply: deleted(params.id) };
    },
  }),
);
