import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { chainShown, loadChain } from '../../actions/subscriptions/reading.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { SubscriptionWithChain } from '../../domain/subscription/schemas.ts';

export const getOwnSubscription = endpoint({
  id: 'me.subscriptions.get',
  route: ['GET /me/subscriptions/:id'],
  summary: 'Get one of your subscriptions',
  description: 'With its orders, the time that each order pays for, and its pauses.',
  access: session(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(SubscriptionWithChain)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db, now }) => {
  const { found, ...chain } = await db.query(loadChain(params.id, principal.userId));
  if (!found[0]) return refuse('rest_not_found');
  return one({ ...toSubscription(found[0], now.toISOString()), ...chainShown(chain) });
});
