import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { drawId, nextId, sendIf } from '../../db/statements.ts';
import { changeErrors, changeUser } from './change.ts';
import { eraseTraces } from './erasure.ts';
import { userEvent } from './events.ts';
import { findGroup } from '../groups/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { readUsers } from './listing.ts';
import {
  findEmail,
  findExternalIds,
  findUser,
  findUserId,
  insertUser,
  lookUpUsers,
  saveUser,
} from './queries.ts';
import {
  administratorRefusal,
  anonymisedUser,
  hasPhone,
  newUser,
  takenRefusal,
  toUser,
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
  description:
    "By exactly one of `id`, `email`, `phone` or `external_id` with its `provider`. A phone is found in every spelling: with its calling code or as it is dialled in the `country` of the settings. Phones are what users say of themselves, and nobody has verified them: don't sign anybody in by one.",
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
        administratorRefusal(undefined, user, principal) ??
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
  route: ['PATCH /users/:id', 'PUT /users/:id', 'POST /users/:id'],
  summary: 'Update a user',
  description:
    'A partial update under each of the three methods. A new sponsor moves the user with everyone below. The group is set at `/users/{id}/group`. Of an administrator the role, the status, e-mail, phone, bank account and external ids are for administrators: `/me/users/{id}`.',
  access: apiKey('users:write'),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));

export const deleteUser = endpoint({
  id: 'users.delete',
  route: ['DELETE /users/:id'],
  summary: 'Delete a user',
  description: `Not for administrators: their role is taken first. It ends every session and cancels reminders, and erases for good:

- the user's name, e-mail, phone, address, country, bank account, group, \`meta\` and external ids, and pictures they uploaded, but creatives;
- of their orders the receiver's name, phone, address and postal code, \`note\`, \`meta\`, and the notes in the history;
- who paid from which account, with the proof, the note and the \`reject_reason\`; reasons of refunds;
- recipients and texts of their reminders, and notes on their access, their licences, their commissions and those of their orders; \`meta\` of licences, labels and \`meta\` of activations;
- answers kept for an \`Idempotency-Key\` that show the user or a record of theirs: such a request is no longer answered as before.

The records themselves stay, with products, dates, amounts and ids, and so do: the country, courier, tracking number and tracking address of an order; the bank names and the amount of a confirmation; codes of their coupons; the strings that licences are registered for, which hold the seats; method and reference of payouts; and who is above and below them in the tree. Until the end of their term stay what was sent to webhooks, in their log, the reasons of administrators for acting as the user, in the audit log, and answers kept for an \`Idempotency-Key\` that only name the user as the affiliate of somebody else's order.`,
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
      const after = anonymisedUser(before, now);
      return (
        administratorRefusal(before, after, principal) ?? {
          write: [...saveUser(before, after), ...eraseTraces(params.id, now)],
          events: [userEvent('user.deleted', { id: params.id, deleted: true })],
          reply: one({ id: params.id, deleted: true as const }),
        }
      );
    },
  }),
);
