import { endpoint, ownCollection, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readCreatives } from '../../actions/affiliates/reading.ts';
import { Creative, CreativesQuery } from '../../domain/affiliate/schemas.ts';
import { ownList } from '../../actions/me/rules.ts';

export const listOwnCreatives = endpoint({
  id: 'me.creatives.list',
  route: ['GET /me/creatives'],
  summary: 'List promotional material for a product',
  access: session(),
  effect: 'read',
  etag: true,
  query: CreativesQuery,
  reply: [200, ownCollection(Creative)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db }) => {
  const creatives = await readCreatives(db, principal.userId, query.product_id);
  return isRefusal(creatives) ? creatives : ownList(principal, creatives);
});
