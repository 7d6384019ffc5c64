import * as z from 'zod';
import { endpoint, ownPage, session } from '../../../src/kernel/endpoint/declare.ts';
import { pageOf } from '../../../src/kernel/lists/reply.ts';
import { pageParameters } from '../../../src/kernel/lists/query.ts';
import { readPage } from '../../../src/kernel/lists/read.ts';
import { asOwn } from '../../../src/actions/me/rules.ts';
import { countWishes, listWishes } from './queries.ts';
import { Wish } from './schemas.ts';

export const listOwnWishes = endpoint({
  id: 'me.wishlist.list',
  route: ['GET /me/wishlist'],
  summary: 'List your wishlist',
  description: 'Newest first, without products that are no longer offered.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [200, ownPage(Wish)],
}).handle(async ({ principal, query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listWishes(principal.userId, window),
    () => countWishes(principal.userId),
  );
  return asOwn(principal, pageOf(query, rows, total));
});
