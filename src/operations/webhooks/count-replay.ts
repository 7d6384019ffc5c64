import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findWebhook, measureReplay } from '../../queries/webhooks.ts';
import { toReplayed } from '../../domain/webhook/rules.ts';
import { ReplayQuery, Replayed } from '../../domain/webhook/schemas.ts';

export const countReplay = endpoint({
  id: 'webhooks.countReplay',
  route: ['GET /webhooks/:id/replay'],
  summary: 'Count the events that a replay would send',
  description: 'Returns the counts of a replay since the same moment, and sends nothing.',
  access: apiKey('webhooks:read'),
  effect: 'read',
  params: IdParams,
  query: ReplayQuery,
  reply: [200, record(Replayed)],
  errors: ['rest_not_found'],
}).handle(async ({ params: { id }, query: { from }, db }) => {
  const { found, measured } = await db.query({
    found: findWebhook(id),
    measured: measureReplay(id, from),
  });
  return found[0] ? one(toReplayed(id, measured.rows[0])) : refuse('rest_not_found');
});
