import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { findTemplate, saveTemplate } from '../../queries/reminders.ts';
import { toTemplate, updatedTemplate } from '../../domain/reminder/rules.ts';
import { TemplateReply, TemplateUpdate } from '../../domain/reminder/schemas.ts';

export const updateTemplate = endpoint({
  id: 'reminderTemplates.update',
  route: [
    'PATCH /reminder-templates/:id',
    'PUT /reminder-templates/:id',
    'POST /reminder-templates/:id',
  ],
  summary: 'Update a reminder template',
  description: 'Reminders already scheduled stay as they are.',
  access: apiKey('reminders:write'),
  effect: 'write',
  fresh: ['title', 'content'],
  params: IdParams,
  body: TemplateUpdate,
  reply: [200, TemplateReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findTemplate(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const after = updatedTemplate(before, body, now);
      return {
        write: after === before ? [] : [saveTemplate(before, after)],
        before: toTemplate(before),
        reply: one(toTemplate(after)),
      };
    },
  }),
);
