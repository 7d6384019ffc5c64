import { apiKey, endpoint } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { findAccess, toVerdict } from '../../domain/access/checks.ts';
import { findGrants } from '../../queries/access.ts';
import { AccessCheckQuery, Verdict } from '../../domain/access/schemas.ts';
import { findAccessUser } from '../../queries/users.ts';
import { findStoredProduct } from '../../queries/products.ts';

const read = prepared({ user_id: 'bigint', product_id: 'bigint' }, ({ user_id, product_id }) => ({
  user: findAccessUser(user_id),
  product: findStoredProduct(product_id),
  grants: findGrants(user_id, product_id),
  settings: findSettings(),
}));

export const checkAccess = endpoint({
  id: 'access.check',
  route: ['GET /access/check'],
  summary: 'Check whether a user has access to a product',
  description: 'Answers 200 whatever the verdict, and never redirects.',
  access: apiKey('access:read'),
  effect: 'read',
  query: AccessCheckQuery,
  reply: [200, Verdict],
  errors: ['rest_not_found'],
}).handle(async ({ query, db, now }) => {
  const loaded = await db.query(read(query));
  const [user] = loaded.user;
  if (!user) return unknownReference('user_id');
  if (loaded.product.length === 0) return unknownReference('product_id');
  const question = {
    user,
    product_ids: [query.product_id] as const,
    grants: loaded.grants,
    now: now.toISOString(),
    timezone: loaded.settings[0]?.timezone ?? 'UTC',
  };
  return toVerdict(question, findAccess(question), null);
});
