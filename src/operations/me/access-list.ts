import { endpoint, ownCollection, session } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { findGrantsOf } from '../../queries/access.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { AccessProduct } from '../../domain/access/schemas.ts';
import { ownList } from '../../actions/me/rules.ts';

const read = prepared({ user_id: 'bigint' }, ({ user_id }) => ({ grants: findGrantsOf(user_id) }));

export const listOwnAccess = endpoint({
  id: 'me.access.list',
  route: ['GET /me/access'],
  summary: 'List the products you have or had access to',
  description:
    "Each with the user's best grant for it: a live one before any other, then the one that ends last.",
  access: session(),
  effect: 'read',
  reply: [200, ownCollection(AccessProduct)],
}).handle(async ({ principal, db, now }) => {
  const { grants } = await db.query(read({ user_id: principal.userId }));
  return ownList(principal, toAccessProducts(grants, now.toISOString()));
});
