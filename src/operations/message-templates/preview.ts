import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import {
  PreviewReply,
  TemplateParams,
  TemplatePreview,
} from '../../domain/message/template-schemas.ts';
import { loadTrial, trialRefusal, tried } from '../../processes/messages/trial.ts';

export const previewMessageTemplate = endpoint({
  id: 'messageTemplates.preview',
  route: ['POST /message-templates/:kind/:medium/preview'],
  summary: 'Preview a message template',
  description:
    'Fills in the template without sending it. If you name an order, its data are used: this requires `orders:read` (and for `order-completed` also `access:read` and `licenses:read`). Otherwise an invented order is used.',
  access: apiKey('messages:read'),
  effect: 'read',
  params: TemplateParams,
  body: TemplatePreview,
  reply: [200, PreviewReply],
  errors: ['rest_not_found', 'rest_invalid_param', 'rest_forbidden'],
}).handle(async ({ params, body, db, config, principal, now }) => {
  const loaded = await db.query(loadTrial(params, body.order_id, now));
  const refusal = trialRefusal(principal, params, body.order_id);
  if (refusal) return refusal;
  const content = tried(params, body, loaded, { config, now });
  return isRefusal(content) ? content : one(content);
});
