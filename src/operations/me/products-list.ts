import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readPromoted } from '../../actions/affiliates/reading.ts';
import { PromotedProduct, PromotedQuery } from '../../domain/affiliate/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const listOwnProducts = endpoint({
  id: 'me.products.list',
  route: ['GET /me/products'],
  summary: 'List the products you can promote',
  description:
    'Published products in the affiliate programme, newest first, with what the user earns on each tier and whether they may promote the product.',
  access: session(),
  effect: 'read',
  etag: true,
  query: PromotedQuery,
  reply: [200, ownPage(PromotedProduct)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, config, now }) => {
  const promoted = await readPromoted(db, principal.userId, query, { config, now });
  return isRefusal(promoted) ? promoted : asOwn(principal, promoted);
});
