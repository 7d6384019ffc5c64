import { capabilitiesOf } from '../../auth/capabilities.ts';
import type { Principal } from '../../auth/principals.ts';
import type { users } from '../../db/schema/users.ts';
import { type Refusal, refuse } from '../../http/errors.ts';
import { given } from '../../lib/objects.ts';
import type { User, UserCreate, UserUpdate } from './schemas.ts';

/** A user as stored, with the ids other systems know it by. */
export interface UserRow {
  user: typeof users.$inferSelect;
  external_ids: Record<string, string>;
}

/** Whether a user may promote products. */
export const canAffiliate = ({ roles, status }: Pick<UserRow['user'], 'roles' | 'status'>) =>
  status === 'active' && roles.includes('affiliate');

/** The record general endpoints answer with. */
export function toUser({ user, external_ids }: UserRow): User {
  return {
    ...user,
    email: user.email ?? '',
    status: user.status === 'blocked' ? 'blocked' : 'active',
    capabilities: capabilitiesOf(user.roles),
    can_affiliate: canAffiliate(user),
    can_affiliate_coupon: canAffiliate(user),
    is_admin: user.roles.includes('administrator'),
    meta: user.meta as User['meta'],
    external_ids,
  };
}

const defaultName = ({ first_name = '', last_name = '', email }: UserCreate) =>
  `${first_name} ${last_name}`.trim() || email.slice(0, email.indexOf('@'));

/** A new user: a member unless told otherwise. */
export function newUser(input: UserCreate, id: number, now: Date): UserRow {
  const { external_ids = {}, roles, ...fields } = input;
  const at = now.toISOString();
  return {
    external_ids,
    user: {
      id,
      phone: '',
      first_name: '',
      last_name: '',
      display_name: defaultName(input),
      address: '',
      postal_code: '',
      country: '',
      affiliate_id: null,
      bank_info: '',
      status: 'active',
      meta: {},
      ...given(fields),
      roles: roles && roles.length > 0 ? [...new Set(roles)] : ['member'],
      sessions_valid_after: null,
      created_at: at,
      updated_at: at,
      version: 1,
    },
  };
}

/** A user after a partial update. */
export function updatedUser(before: UserRow, input: UserUpdate, now: Date): UserRow {
  const { external_ids = before.external_ids, roles = before.user.roles, ...fields } = input;
  return {
    external_ids,
    user: {
      ...before.user,
      ...given(fields),
      roles: [...new Set(roles)],
      updated_at: now.toISOString(),
      version: before.user.version + 1,
    },
  };
}

/** A user with nothing personal left, whose orders and commissions still have an owner. */
export function anonymisedUser(before: UserRow, now: Date): UserRow {
  const blank = {
    email: null,
    phone: '',
    first_name: '',
    last_name: '',
    display_name: 'Deleted user',
    address: '',
    postal_code: '',
    country: '',
    bank_info: '',
    meta: {},
    roles: [],
    status: 'anonymised',
    sessions_valid_after: now.toISOString(),
  } as const;
  const user = updatedUser(before, {}, now).user;
  return { user: { ...user, ...blank, roles: [] }, external_ids: {} };
}

/**
 * Only a direct administrator's session grants or takes the role administrator: a key that could
 * write users and issue sessions would otherwise be able to become one.
 */
export function roleRefusal(
  before: readonly string[],
  after: readonly string[],
  principal: Principal,
): Refusal<'rest_forbidden'> | undefined {
  const changes = before.includes('administrator') !== after.includes('administrator');
  const direct = principal.kind === 'session' && principal.isAdmin && principal.actorId === null;
  if (!changes || direct) return undefined;
  return refuse('rest_forbidden', {
    message: 'Only an administrator may grant or remove the role administrator.',
  });
}
