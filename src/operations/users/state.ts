import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { UserState, mostInState } from '../../actions/users/state-schemas.ts';
import { loadUserState, userState } from '../../actions/users/state.ts';

export const getUserState = endpoint({
  id: 'users.state',
  route: ['GET /users/:id/state'],
  summary: 'Get what a user may use now',
  description: `Access, subscriptions, licences and group in one answer, for programs that deliver these. Of subscriptions and licences, the newest ${mostInState} are here; their lists have all. Send its \`ETag\` as \`If-None-Match\`: the answer is 304 until something changes. The event \`user.state-changed\` says when to ask.`,
  access: apiKey('access:read'),
  effect: 'read',
  etag: true,
  params: IdParams,
  reply: [200, record(UserState)],
  errors: ['rest_not_found'],
}).handle(async ({ params, principal, db, now }) => {
  const loaded = await db.query(loadUserState(params.id, now));
  const state = userState(loaded, (scope) => principal.has(scope), now);
  return state ? one(state) : refuse('rest_not_found');
});
