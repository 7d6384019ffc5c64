import { apiKey, endpoint } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { feedReply, shownTo } from '../../actions/notify/feed-reply.ts';
import { readLog } from '../../queries/webhook-log.ts';
import { findCounter } from '../../queries/webhooks.ts';
import { FeedQuery, FeedReply } from '../../domain/webhook/schemas.ts';

/** The contract's error body for a missing `webhook_id`. */
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
    'In order, starting after `since_id`. By default only successful deliveries; an empty `status=` returns every attempt. Call again with the same `status` and with `next_since` as `since_id`: no entry is ever skipped or repeated. A store that was restored from a backup leaves out ids, so you continue from your position. A `since_id` beyond the last entry is refused with 400: it belongs to another webhook or store; begin again at 0. If the key may not read the record of an event, the entry comes without the record, marked `redacted`.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: FeedQuery,
  reply: [200, FeedReply],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ query, db, principal }) => {
  const { webhook_id, since_id = 0, limit = 100, status = 'success' } = query;
  if (webhook_id === undefined) return { status: 400, text: JSON.stringify(missingWebhookId) };
  const { counter, rows } = await db.query({
    counter: findCounter(webhook_id),
    rows: readLog(webhook_id, since_id, limit, status || undefined),
  });
  if (!counter[0]) return refuse('rest_not_found');
  const { last_log_id: last } = counter[0];
  if (since_id > last)
    return refuse('rest_invalid_param', {
      params: { since_id: `must be at most ${last}, the last entry of this webhook` },
    });
  const shown = rows.map((row) => shownTo(principal, row));
  return feedReply(shown, limit, last);
});
