import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { unsubscribePage } from '../../domain/message/unsubscribe-page.ts';
import { findByKey } from '../../queries/message-receipts.ts';
import { findSettings } from '../../queries/settings.ts';
import { UnsubscribeParams, unsubscribeHeaders } from './unsubscribe.ts';

export const showUnsubscribe = endpoint({
  id: 'messages.unsubscribePage',
  route: ['GET /unsubscribe/:key'],
  summary: 'Show the unsubscribe page',
  description: 'The page behind the unsubscribe link in messages.',
  access: open('whoever has the message has the key in its link'),
  effect: 'read',
  params: UnsubscribeParams,
  reply: [200, html],
  headers: unsubscribeHeaders,
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, settings } = await db.query({
    found: findByKey(params.key),
    settings: findSettings(),
  });
  const [message] = found;
  const [store] = settings;
  if (!message?.content || !store) return refuse('rest_not_found');
  return unsubscribePage(store.store_name, message.content.language, false);
});
