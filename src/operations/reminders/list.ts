import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countReminders, listReminders } from '../../queries/reminders.ts';
import { toReminder } from '../../actions/reminders/showing.ts';
import { Reminder, ReminderQuery } from '../../domain/reminder/schemas.ts';

export const listRemindersEndpoint = endpoint({
  id: 'reminders.list',
  route: ['GET /reminders'],
  summary: 'List reminders',
  access: apiKey('reminders:read'),
  effect: 'read',
  query: ReminderQuery,
  reply: [200, page(Reminder)],
}).handle(async ({ query, db, principal }) =>
  readList(db, query, {
    list: listReminders,
    count: countReminders,
    show: (reminder) => toReminder(reminder, principal),
  }),
);
