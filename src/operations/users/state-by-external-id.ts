import * as z from 'zod';
import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { UserState } from '../../actions/users/state-schemas.ts';
import { loadUserState, userState } from '../../actions/users/state.ts';
import { idOfExternalId } from '../../queries/users.ts';

export const getUserStateByExternalId = endpoint({
  id: 'users.stateByExternalId',
  route: ['GET /users/state'],
  summary: 'Get what a user may use now, by their id in another system',
  access: apiKey('access:read'),
  effect: 'read',
  etag: true,
  query: z.object({
    provider: textUpTo(64).describe('The provider of `external_id`.'),
    external_id: textUpTo(200),
  }),
  reply: [200, record(UserState)],
  errors: ['rest_not_found'],
}).handle(async ({ query, principal, db, now }) => {
  const loaded = await db.query(loadUserState(idOfExternalId(query), now));
  const state = userState(loaded, (scope) => principal.has(scope), now);
  return state ? one(state) : refuse('rest_not_found');
});
