import { capable, collection, endpoint, one } from '../../../src/kernel/endpoint/declare.ts';
import { findMostWished } from './queries.ts';
import { WishedProduct } from './schemas.ts';

export const listMostWished = endpoint({
  id: 'me.wishlist.popular',
  route: ['GET /me/wishlist/popular'],
  summary: 'List the most wished-for products',
  description: 'The top 100 products, for those who run the store.',
  access: capable('read_admin'),
  effect: 'read',
  reply: [200, collection(WishedProduct)],
}).handle(async ({ db }) => {
  const { found } = await db.query({ found: findMostWished() });
  return one(found);
});
