import { apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, collection, one } from '../../http/envelope.ts';
import { isStale, refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import {
  findTemplate,
  findTemplates,
  insertTemplate,
  removeTemplate,
  saveTemplate,
} from './queries.ts';
import { newTemplate, toTemplate, updatedTemplate } from './rules.ts';
import { ReminderTemplate, TemplateCreate, TemplateReply, TemplateUpdate } from './schemas.ts';

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

export const createTemplate = endpoint({
  id: 'reminderTemplates.create',
  route: ['POST /reminder-templates'],
  summary: 'Create a reminder template',
  description:
    'From then on new orders, and new ends of subscriptions, have such a reminder scheduled in their own transaction.',
  access: apiKey('reminders:write'),
  effect: 'write',
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

export const updateTemplate = endpoint({
  id: 'reminderTemplates.update',
  route: [
    'PUT /reminder-templates/:id',
    'PATCH /reminder-templates/:id',
    'POST /reminder-templates/:id',
  ],
  summary: 'Update a reminder template',
  description: 'What is scheduled already stays as it is.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  body: TemplateUpdate,
  reply: [200, TemplateReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findTemplate(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const after = updatedTemplate(before, body, now);
      return {
        write: after === before ? [] : [saveTemplate(before, after)],
        reply: one(toTemplate(after)),
      };
    },
  }),
);

export const deleteTemplate = endpoint({
  id: 'reminderTemplates.delete',
  route: ['DELETE /reminder-templates/:id'],
  summary: 'Delete a reminder template',
  description: 'What is scheduled already is still sent.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findTemplate(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      return {
        write: [removeTemplate(before)],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
