import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { toTemplate, updatedTemplate } from '../../domain/message/template-rules.ts';
import {
  TemplateParams,
  TemplateReply,
  TemplateUpdate,
} from '../../domain/message/template-schemas.ts';
import { findTemplate, saveTemplate } from '../../queries/message-templates.ts';

export const updateMessageTemplate = endpoint({
  id: 'messageTemplates.update',
  route: [
    'PATCH /message-templates/:kind/:medium',
    'PUT /message-templates/:kind/:medium',
    'POST /message-templates/:kind/:medium',
  ],
  summary: 'Update a message template',
  description:
    'Changes only the fields you send; a text set to null goes back to that of the service. Placeholders that the kind does not have are refused. Messages that are already filled in stay as they are.',
  access: apiKey('messages:write'),
  effect: 'write',
  fresh: true,
  params: TemplateParams,
  body: TemplateUpdate,
  reply: [200, TemplateReply],
  errors: ['rest_invalid_param'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findTemplate(params) },
    decide: ({ found: [before] }) => {
      if (ifMatch !== undefined && ifMatch !== (before?.version ?? 0)) {
        return refuse('rest_conflict');
      }
      const after = updatedTemplate(params, before, body, now);
      if (isRefusal(after)) return after;
      return {
        write: after ? [saveTemplate(before, after)] : [],
        before: toTemplate(params, before),
        reply: one(toTemplate(params, after ?? before)),
      };
    },
  }),
);
