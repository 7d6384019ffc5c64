import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readRank } from '../../actions/affiliates/reading.ts';
import { Rank, RankingQuery } from '../../domain/affiliate/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const getOwnRank = endpoint({
  id: 'me.rank',
  route: ['GET /me/rank'],
  summary: 'Get your rank among affiliates',
  access: session(),
  effect: 'read',
  query: RankingQuery,
  reply: [200, ownRecord(Rank)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db }) => {
  const rank = await readRank(db, principal.userId, query);
  return isRefusal(rank) ? rank : asOwn(principal, { data: rank, meta: {} });
});
