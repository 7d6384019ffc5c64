import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { toTemplate } from '../../domain/message/template-rules.ts';
import { MessageTemplate } from '../../domain/message/template-schemas.ts';
import { findTemplates } from '../../queries/message-templates.ts';
import { templateKinds, templateMedia } from '../../schema/lists.ts';

export const listMessageTemplates = endpoint({
  id: 'messageTemplates.list',
  route: ['GET /message-templates'],
  summary: 'List message templates',
  description:
    'Templates of the automatic messages to buyers, affiliates and the seller, for e-mail and WhatsApp, in every language. Each is active until you switch it off; nothing is sent by a medium that has no sender.',
  access: apiKey('messages:read'),
  effect: 'read',
  reply: [200, collection(MessageTemplate)],
}).handle(async ({ db }) => {
  const { rows } = await db.query({ rows: findTemplates() });
  const rowOf = (kind: string, medium: string) =>
    rows.find((row) => row.kind === kind && row.medium === medium);
  return one(
    templateKinds.flatMap((kind) =>
      templateMedia.map((medium) => toTemplate({ kind, medium }, rowOf(kind, medium))),
    ),
  );
});
