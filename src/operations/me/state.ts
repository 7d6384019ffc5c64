import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { UserState, mostInState } from '../../actions/users/state-schemas.ts';
import { loadUserState, userState } from '../../actions/users/state.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const getOwnState = endpoint({
  id: 'me.state',
  route: ['GET /me/state'],
  summary: 'Get what you may use now',
  description: `Access, subscriptions, licences and group in one answer. Of subscriptions and licences, the newest ${mostInState} are here; their lists have all.`,
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ownRecord(UserState)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, db, now }) => {
  const state = userState(await db.query(loadUserState(principal.userId, now)), () => true, now);
  return state ? asOwn(principal, { data: state, meta: {} }) : refuse('rest_not_found');
});
