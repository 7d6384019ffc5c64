import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { findTemplate, removeTemplate } from '../../queries/reminders.ts';

export const deleteTemplate = endpoint({
  id: 'reminderTemplates.delete',
  route: ['DELETE /reminder-templates/:id'],
  summary: 'Delete a reminder template',
  description: 'Reminders already scheduled are still sent.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findTemplate(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      return { write: [removeTemplate(before)], reply: deleted(params.id) };
    },
  }),
);
