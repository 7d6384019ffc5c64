import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { chainShown, loadChain } from '../../actions/subscriptions/reading.ts';
import { toStoreSubscription } from '../../domain/subscription/rules.ts';
import { StoreSubscriptionWithChain } from '../../domain/subscription/schemas.ts';

export const getSubscription = endpoint({
  id: 'subscriptions.get',
  route: ['GET /subscriptions/:id'],
  summary: 'Get a subscription',
  description: 'With its orders, the time that each order pays for, and its pauses.',
  access: apiKey('subscriptions:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(StoreSubscriptionWithChain)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found, ...chain } = await db.query(loadChain(params.id));
  if (!found[0]) return refuse('rest_not_found');
  return one({ ...toStoreSubscription(found[0], now.toISOString()), ...chainShown(chain) });
});
