import { endpoint, ownCollection, session } from '../../kernel/endpoint/declare.ts';
import { readLeaders } from '../../actions/affiliates/reading.ts';
import { LeaderboardQuery, Place } from '../../domain/affiliate/schemas.ts';
import { ownList, withoutNames } from '../../actions/me/rules.ts';

export const getOwnLeaderboard = endpoint({
  id: 'me.leaderboard',
  route: ['GET /me/leaderboard'],
  summary: 'Get the leaderboard with masked names',
  description:
    "Affiliates with equal totals share a rank. Other people's names are reduced to initials: `S*** W***`.",
  access: session(),
  effect: 'read',
  query: LeaderboardQuery,
  reply: [200, ownCollection(Place)],
}).handle(async ({ principal, query, db }) =>
  ownList(principal, withoutNames(principal, await readLeaders(db, query))),
);
