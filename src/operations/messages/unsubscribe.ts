import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { suppression } from '../../domain/message/rules.ts';
import { unsubscribePage, unsubscribePolicy } from '../../domain/message/unsubscribe-page.ts';
import { findByKey, insertSuppression } from '../../queries/message-receipts.ts';
import { findSettings } from '../../queries/settings.ts';

/** The key identifies the message. */
export const UnsubscribeParams = z.object({
  key: z.uuid().describe('From the link in a message.'),
});

export const unsubscribeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': unsubscribePolicy,
};

export const unsubscribe = endpoint({
  id: 'messages.unsubscribe',
  route: ['POST /unsubscribe/:key'],
  summary: 'Unsubscribe',
  description:
    'From reminders and other messages that are not transactional. E-mail programs call it for their own unsubscribe button (RFC 8058). Repeated calls change nothing.',
  access: open('whoever has the message has the key in its link'),
  effect: 'write',
  conditional: false,
  params: UnsubscribeParams,
  rawBody: 1024,
  reply: [200, html],
  headers: unsubscribeHeaders,
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) =>
  db.change({
    load: { found: findByKey(params.key), settings: findSettings() },
    decide: ({ found: [message], settings: [store] }) => {
      if (!message?.content || !store || message.recipient === '') return refuse('rest_not_found');
      return {
        write: [insertSuppression(suppression(message, 'unsubscribed', now))],
        reply: unsubscribePage(store.store_name, message.content.language, true),
      };
    },
  }),
);
