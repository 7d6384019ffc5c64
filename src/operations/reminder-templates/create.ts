import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { insertTemplate } from '../../queries/reminders.ts';
import { newTemplate, toTemplate } from '../../domain/reminder/rules.ts';
import { TemplateCreate, TemplateReply } from '../../domain/reminder/schemas.ts';

export const createTemplate = endpoint({
  id: 'reminderTemplates.create',
  route: ['POST /reminder-templates'],
  summary: 'Create a reminder template',
  description:
    'It applies from now on: to orders when they are placed, and to subscriptions when their end is set.',
  access: apiKey('reminders:write'),
  effect: 'write',
  fresh: true,
  body: TemplateCreate,
  reply: [201, TemplateReply],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: { id: drawId('reminder_templates') },
    decide: ({ id }) => {
      const template = newTemplate(body, nextId(id), now);
      return { write: [insertTemplate(template)], reply: one(toTemplate(template)) };
    },
  }),
);
