import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findReminder } from '../../queries/reminders.ts';
import { toReminder } from '../../actions/reminders/showing.ts';
import { ReminderReply } from '../../domain/reminder/schemas.ts';

export const getReminder = endpoint({
  id: 'reminders.get',
  route: ['GET /reminders/:id'],
  summary: 'Get a reminder',
  access: apiKey('reminders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, ReminderReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, principal }) => {
  const { found } = await db.query({ found: findReminder(params.id) });
  return found[0] ? one(toReminder(found[0], principal)) : refuse('rest_not_found');
});
