import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { changesPage } from '../../kernel/schemas/replies.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { countStoreList, listStoreSubscriptions } from '../../queries/subscriptions.ts';
import { toStoreSubscription } from '../../domain/subscription/rules.ts';
import { StoreSubscription, SubscriptionQuery } from '../../domain/subscription/schemas.ts';

export const listStoreSubscriptionsEndpoint = endpoint({
  id: 'subscriptions.list',
  route: ['GET /subscriptions'],
  summary: 'List subscriptions',
  description: 'Newest first. An order and its renewals are one subscription.',
  access: apiKey('subscriptions:read'),
  effect: 'read',
  query: SubscriptionQuery,
  reply: [200, changesPage(StoreSubscription)],
}).handle(async ({ query, db, now }) =>
  readChanges(
    db,
    query,
    {
      list: (_, window) => listStoreSubscriptions(query, now, window),
      count: () => countStoreList(query, now),
      show: (row) => toStoreSubscription(row, now.toISOString()),
    },
    now,
  ),
);
