import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { sendIf } from '../../kernel/database/statements.ts';
import { findSettings } from '../../queries/settings.ts';
import { lookUpUsers } from '../../queries/user-lists.ts';
import { hasPhone, toUser } from '../../domain/user/rules.ts';
import { User, UserLookup } from '../../domain/user/schemas.ts';

export const lookUpUser = endpoint({
  id: 'users.lookup',
  route: ['GET /users/lookup'],
  summary: 'Find a user',
  description:
    'By exactly one of `id`, `email`, `phone`, or `external_id` with its `provider`. A phone number is found however it is written: with its calling code, or as dialled in the `country` of the settings. Phone numbers are what users entered and are not verified: do not sign anyone in by one.',
  access: apiKey('users:read'),
  effect: 'read',
  query: UserLookup,
  reply: [200, record(User)],
  errors: ['rest_not_found', 'rest_ambiguous'],
}).handle(async ({ query, db }) => {
  const loaded = await db.query({
    found: lookUpUsers(query),
    settings: sendIf(query.phone !== undefined, findSettings),
  });
  const [user, other] = loaded.found.filter(({ user }) =>
    hasPhone(user, query.phone, loaded.settings[0]),
  );
  if (!user) return refuse('rest_not_found');
  return other ? refuse('rest_ambiguous') : one(toUser(user));
});
