import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { toTemplate } from '../../domain/message/template-rules.ts';
import { TemplateParams, TemplateReply } from '../../domain/message/template-schemas.ts';
import { findTemplate } from '../../queries/message-templates.ts';

export const getMessageTemplate = endpoint({
  id: 'messageTemplates.get',
  route: ['GET /message-templates/:kind/:medium'],
  summary: 'Get a message template',
  access: apiKey('messages:read'),
  effect: 'read',
  params: TemplateParams,
  reply: [200, TemplateReply],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findTemplate(params) });
  return one(toTemplate(params, found[0]));
});
