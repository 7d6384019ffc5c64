import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { findTemplates } from '../../queries/reminders.ts';
import { toTemplate } from '../../domain/reminder/rules.ts';
import { ReminderTemplate } from '../../domain/reminder/schemas.ts';

export const listTemplates = endpoint({
  id: 'reminderTemplates.list',
  route: ['GET /reminder-templates'],
  summary: 'List reminder templates',
  access: apiKey('reminders:read'),
  effect: 'read',
  reply: [200, collection(ReminderTemplate)],
}).handle(async ({ db }) => {
  const { rows } = await db.query({ rows: findTemplates() });
  return one(rows.map(toTemplate));
});
