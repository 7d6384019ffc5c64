import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { readLeaders } from '../../actions/affiliates/reading.ts';
import { LeaderboardQuery, Place } from '../../domain/affiliate/schemas.ts';

export const getLeaderboard = endpoint({
  id: 'affiliates.leaderboard',
  route: ['GET /affiliates/leaderboard'],
  summary: 'Get the leaderboard',
  description:
    'All time and whole months are fastest; other ranges take longer the more days they span. Affiliates with equal totals share a rank.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  query: LeaderboardQuery,
  reply: [200, collection(Place)],
}).handle(async ({ query, db }) => one(await readLeaders(db, query)));
