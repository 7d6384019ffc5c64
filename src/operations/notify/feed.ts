import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { feedReply, shownTo } from './feed-reply.ts';
import { readLog } from '../../queries/webhook-log.ts';
import { findCounter } from '../../queries/webhooks.ts';
import { FeedQuery, FeedReply } from '../../domain/webhook/schemas.ts';

/** The body that the contract has for this one case. */
const missingWebhookId = {
  success: false,
  message: 'missing webhook_id',
  code: 'rest_missing_callback_param',
  data: { status: 400 },
};

export const feed = endpoint({
  id: 'notify.feed',
  namespace: 'notify',
  route: ['GET /feed'],
  summary: "Read a webhook's delivery log",
  description:
    'In order, starting after `since_id`. By default only successful deliveries; an empty `status=` returns every attempt. Call again with the same `status` and with `next_since` as `since_id`: no entry is ever skipped or repeated. An entry whose event carries a record that the key has no scope to read comes without it, marked `redacted`.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: FeedQuery,
  reply: [200, FeedReply],
  errors: ['rest_not_found'],
}).handle(async ({ query, db, principal }) => {
  const { webhook_id, since_id = 0, limit = 100, status = 'success' } = query;
  if (webhook_id === undefined) return { status: 400, text: JSON.stringify(missingWebhookId) };
  const { counter, rows } = await db.query({
    counter: findCounter(webhook_id),
    rows: readLog(webhook_id, since_id, limit, status || undefined),
  });
  if (!counter[0]) return refuse('rest_not_found');
  const shown = rows.map((row) => shownTo(principal, row));
  return feedReply(shown, limit, counter[0].last_log_id);
});
