import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { userEvent } from './events.ts';
import { forgetPayer } from '../confirmations/queries.ts';
import { findGroup } from '../groups/queries.ts';
import { forgetMedia } from '../media/queries.ts';
import { forgetRecipient } from '../reminders/queries.ts';
import { readUsers } from './listing.ts';
import {
  eraseAddresses,
  findAbove,
  findEmail,
  findExternalIds,
  findUser,
  findUserId,
  insertUser,
  lookUpUsers,
  saveUser,
  updateUser,
} from './queries.ts';
import {
  anonymisedUser,
  isSameUser,
  newUser,
  roleRefusal,
  takenRefusal,
  toUser,
  updatedUser,
} from './rules.ts';
import { User, UserCreate, UserLookup, UserQuery, UserUpdate } from './schemas.ts';

export const listUsersEndpoint = endpoint({
  id: 'users.list',
  route: ['GET /users'],
  summary: 'List users',
  description: 'Newest first. Filters combine; `search` looks at name, e-mail and phone.',
  access: apiKey('users:read'),
  effect: 'read',
  query: UserQuery,
  reply: [200, page(User)],
}).handle(async ({ query, db }) => readUsers(db, query));

export const lookUpUser = endpoint({
  id: 'users.lookup',
  route: ['GET /users/lookup'],
  summary: 'Find one user',
  description: 'By exactly one of `id`, `email`, `phone` or `external_id` with its `provider`.',
  access: apiKey('users:read'),
  effect: 'read',
  query: UserLookup,
  reply: [200, record(User)],
  errors: ['rest_not_found', 'rest_ambiguous'],
}).handle(async ({ query, db }) => {
  const { found } = await db.query({ found: lookUpUsers(query) });
  const [user] = found;
  if (!user) return refuse('rest_not_found');
  return found.length > 1 ? refuse('rest_ambiguous') : one(toUser(user));
});

export const getUser = endpoint({
  id: 'users.get',
  route: ['GET /users/:id'],
  summary: 'Read a user',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(User)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findUser(params.id) });
  return found[0] ? one(toUser(found[0])) : refuse('rest_not_found');
});

export const createUser = endpoint({
  id: 'users.create',
  route: ['POST /users'],
  summary: 'Create a user',
  description: 'Only `email` is required. Any existing user may be the sponsor (`affiliate_id`).',
  access: apiKey('users:write'),
  effect: 'write',
  body: UserCreate,
  reply: [201, record(User)],
  errors: ['rest_not_found', 'rest_forbidden', 'user_email_exists', 'user_external_id_exists'],
}).handle(async ({ body, db, principal, now }) =>
  db.change({
    load: {
      id: drawId('users'),
      sponsor: findUserId(body.affiliate_id),
      group: findGroup(body.group_id),
      sameEmail: findEmail(body.email, 0),
      sameExternalId: findExternalIds(body.external_ids, 0),
    },
    decide: (loaded) => {
      const group = loaded.group[0] ?? null;
      if (body.affiliate_id && !loaded.sponsor[0]) return unknownReference('affiliate_id');
      if (body.group_id && !group) return unknownReference('group_id');
      const user = newUser(body, group, nextId(loaded.id), now);
      return (
        roleRefusal([], user.user.roles, principal) ??
        takenRefusal(loaded) ?? {
          write: insertUser(user),
          events: [userEvent('user.created', toUser(user))],
          reply: one(toUser(user)),
        }
      );
    },
  }),
);

export const updateUserEndpoint = endpoint({
  id: 'users.update',
  route: ['PUT /users/:id', 'PATCH /users/:id', 'POST /users/:id'],
  summary: 'Update a user',
  description:
    'A partial update under each of the three methods. A new sponsor moves the user with everyone below. The group is set at `/users/{id}/group`.',
  access: apiKey('users:write'),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: [
    'rest_not_found',
    'rest_forbidden',
    'rest_invalid_param',
    'rest_upline_cycle',
    'user_email_exists',
    'user_external_id_exists',
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: {
      found: findUser(params.id),
      sponsor: findUserId(body.affiliate_id),
      above: findAbove(body.affiliate_id, params.id),
      sameEmail: findEmail(body.email, params.id),
      sameExternalId: findExternalIds(body.external_ids, params.id),
    },
    decide: (loaded) => {
      const [before] = loaded.found;
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.user)) return refuse('rest_conflict');
      if (body.affiliate_id === params.id) {
        return refuse('rest_invalid_param', { params: { affiliate_id: 'must be another user' } });
      }
      if (body.affiliate_id && !loaded.sponsor[0]) return unknownReference('affiliate_id');
      if (loaded.above.rows.length > 0) return refuse('rest_upline_cycle');
      const after = updatedUser(before, body, now);
      if (isSameUser(before, after)) return { write: [], reply: one(toUser(before)) };
      return (
        roleRefusal(before.user.roles, after.user.roles, principal) ??
        takenRefusal(loaded) ?? {
          write: updateUser(before, after),
          events: [userEvent('user.updated', toUser(after))],
          reply: one(toUser(after)),
        }
      );
    },
  }),
);

export const deleteUser = endpoint({
  id: 'users.delete',
  route: ['DELETE /users/:id'],
  summary: 'Delete a user',
  description:
    'Erases everything personal, addresses in orders, uploaded pictures and what was said of payments included, ends every session and cancels reminders. Orders and commissions stay, without a name. What was sent to webhooks before stays in their log until its term.',
  access: apiKey('users:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: { found: findUser(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.user)) return refuse('rest_conflict');
      return (
        roleRefusal(before.user.roles, [], principal) ?? {
          write: [
            ...saveUser(before, anonymisedUser(before, now)),
            eraseAddresses(params.id, now),
            forgetMedia(params.id, now),
            forgetPayer(params.id, now),
            forgetRecipient(params.id, now),
          ],
          events: [userEvent('user.deleted', { id: params.id, deleted: true })],
          reply: one({ id: params.id, deleted: true as const }),
        }
      );
    },
  }),
);
