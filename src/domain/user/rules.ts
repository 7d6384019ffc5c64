import { type Holder, capabilitiesOf, isAdministrator, isStaff } from './capabilities.ts';
import type { Principal } from '../../kernel/auth/principals.ts';
import { erased } from '../../schema/personal.ts';
import { shopManagerId } from '../../schema/staff.ts';
import type { BankAccount, users } from '../../schema/users.ts';
import type { Instant } from '../../lib/instant.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { withoutUndefined, isSame, isSameRecord } from '../../lib/objects.ts';
import { isSamePhone } from '../../lib/phone.ts';
import { isSeen, trimmed } from '../../lib/text.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { User, UserCreate, UserUpdate } from './schemas.ts';
import type { GroupColumns } from '../../schema/groups.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export type Person = typeof users.$inferSelect & { group: GroupColumns | null };

export interface UserRow {
  user: typeof users.$inferSelect;
  group: GroupColumns | null;
  external_ids: Record<string, string>;
}

type Member = Pick<Person, 'roles' | 'status'> & {
  readonly group: Pick<GroupColumns, 'can_affiliate' | 'can_affiliate_coupon'> | null;
};

/** Returns 'ok', or the reason why a user may not promote products. */
export function affiliateAccess({ roles, status, group }: Member) {
  if (status !== 'active') return 'blocked';
  if (group && !group.can_affiliate) return 'group-denied';
  return roles.includes('affiliate') ? 'ok' : 'no-capability';
}

export const canAffiliate = (member: Member): boolean => affiliateAccess(member) === 'ok';

/** Returns 'ok', or the reason why a user may not enter the administration. */
export function adminAccess(user: Holder & Pick<Member, 'status'>) {
  if (user.status !== 'active') return 'blocked';
  return capabilitiesOf(user).includes('read_admin') ? 'ok' : 'no-capability';
}

const canAffiliateCoupon = (member: Member): boolean =>
  canAffiliate(member) && (member.group?.can_affiliate_coupon ?? true);

/** The user's id at a provider, under any name of the provider. */
export const externalId = ({ external_ids }: UserRow, provider: string): string | undefined =>
  Object.hasOwn(external_ids, provider) ? external_ids[provider] : undefined;

export function toUser({ user, group, external_ids }: UserRow): User {
  const member = { ...user, group };
  return {
    ...member,
    email: user.email ?? '',
    status: user.status === 'blocked' ? 'blocked' : 'active',
    capabilities: capabilitiesOf(user),
    can_affiliate: canAffiliate(member),
    can_affiliate_coupon: canAffiliateCoupon(member),
    is_admin: isAdministrator(user),
    meta: user.meta as User['meta'],
    external_ids,
  };
}

/** Reveals nothing that others may not know. */
const defaultName = (
  { first_name = '', last_name = '' }: Pick<UserCreate, 'first_name' | 'last_name'>,
  id: number,
) => trimmed(`${first_name} ${last_name}`).normalize('NFC') || `User ${id}`;

/** The given name, unless it has no visible character. */
export const displayNameOf = (
  {
    display_name = '',
    ...names
  }: Partial<Pick<UserCreate, 'display_name' | 'first_name' | 'last_name'>>,
  id: number,
): string => (isSeen(display_name) ? display_name : defaultName(names, id));

/** A member, unless the caller says otherwise. */
export function newUser(
  input: UserCreate,
  group: GroupColumns | null,
  id: number,
  now: Date,
): UserRow {
  const { external_ids = {}, roles = [], ...fields } = input;
  const at = now.toISOString();
  return {
    group,
    external_ids,
    user: {
      id,
      phone: '',
      first_name: '',
      last_name: '',
      address: '',
      postal_code: '',
      country: '',
      language: null,
      group_id: null,
      affiliate_id: null,
      status: 'active',
      meta: {},
      ...withoutUndefined(fields),
      ...bankAfter(noAccount, input, at),
      display_name: displayNameOf(input, id),
      ...rolesAfter(nobody, { ...input, roles: roles.length > 0 ? roles : ['member'] }),
      sessions_valid_after: null,
      ...firstVersion(at),
    },
  };
}

type Bank = Pick<UserRow['user'], 'bank_info' | 'bank_account' | 'bank_changed_at'>;

const noAccount: Bank = { bank_info: '', bank_account: null, bank_changed_at: null };

const accountText = ({ bank_name, number, holder }: BankAccount) =>
  `${bank_name} ${number} a.n. ${holder}`;

/** New fields replace the text, and a new text removes the fields. A text that shows nothing is no account. */
function bankAfter(
  before: Bank,
  input: Pick<UserUpdate, 'bank_info' | 'bank_account'>,
  at: Instant,
): Bank {
  const { bank_account } = input;
  const bank_info = input.bank_info && (isSeen(input.bank_info) ? input.bank_info : '');
  const was = { bank_account: before.bank_account, bank_info: before.bank_info };
  const after = bank_account
    ? { bank_account, bank_info: accountText(bank_account) }
    : {
        bank_account: null,
        bank_info: bank_info ?? (bank_account === null && was.bank_account ? '' : was.bank_info),
      };
  const isLeft = !bank_account && (bank_info ?? was.bank_info) === was.bank_info;
  const isKept = (isLeft && bank_account === undefined) || isSame(after, was);
  return { ...(isKept ? was : after), bank_changed_at: isKept ? before.bank_changed_at : at };
}

const nobody: Holder = { roles: [], staff_role_id: null };

/** `shop-manager` stands for the built-in role of that name; there is one at most. */
function rolesAfter(before: Holder, input: Pick<UserUpdate, 'roles' | 'staff_role_id'>): Holder {
  const { roles = before.roles } = input;
  const asked = roles.includes('shop-manager');
  const was = before.staff_role_id;
  const byRoles = asked ? shopManagerId : was === shopManagerId ? null : was;
  const { staff_role_id = input.roles ? byRoles : was } = input;
  const others = roles.filter((role) => role !== 'shop-manager');
  const isManager = staff_role_id === shopManagerId;
  if (isManager === asked) return { roles: [...new Set(roles)], staff_role_id };
  return {
    roles: [...new Set(others), ...(isManager ? (['shop-manager'] as const) : [])],
    staff_role_id,
  };
}

/**
 * A derived display name follows the names it was derived from. A first role in the console ends earlier sessions: not
 * every key may issue sessions for people with a role.
 */
export function updatedUser(before: UserRow, input: UserUpdate, now: Date): UserRow {
  const { external_ids = before.external_ids, ...fields } = input;
  const roles = rolesAfter(before.user, input);
  const named = { ...before.user, ...withoutUndefined(fields) };
  const { id, display_name } = before.user;
  const follows = display_name.normalize('NFC') === defaultName(before.user, id);
  return {
    group: before.group,
    external_ids,
    user: {
      ...named,
      ...bankAfter(before.user, input, now.toISOString()),
      display_name:
        follows && !fields.display_name ? defaultName(named, id) : displayNameOf(named, id),
      ...roles,
      ...(isStaff(roles) && !isStaff(before.user) && { sessions_valid_after: now.toISOString() }),
      ...nextVersion(before.user, now),
    },
  };
}

export const isSameUser = (before: UserRow, after: UserRow): boolean =>
  isSameRecord(before.user, after.user) && isSame(before.external_ids, after.external_ids);

/** Removes personal data. The user keeps their orders and commissions. */
export function anonymisedUser(before: UserRow, now: Date): UserRow {
  const user: UserRow['user'] = {
    ...updatedUser(before, {}, now).user,
    ...erased.users,
    group_id: null,
    roles: [],
    staff_role_id: null,
    status: 'anonymised',
    sessions_valid_after: now.toISOString(),
  };
  return { user, group: null, external_ids: {} };
}

/** Compares phones in any spelling of the store's country; true if no phone is asked for. */
export const hasPhone = (
  user: Pick<Person, 'phone'>,
  phone: string | undefined,
  settings: Pick<SettingsRow, 'country'> | undefined,
): boolean => phone === undefined || isSamePhone(user.phone, phone, settings?.country ?? '');

export function takenRefusal({
  sameEmail,
  sameExternalId,
}: {
  sameEmail: readonly unknown[];
  sameExternalId: readonly unknown[];
}): Refusal<'user_email_exists' | 'user_external_id_exists'> | undefined {
  if (sameEmail.length > 0) return refuse('user_email_exists');
  return sameExternalId.length > 0 ? refuse('user_external_id_exists') : undefined;
}

/** Fields that identify, pay or sign in a person with a console role. */
const guarded = ['status', 'email', 'phone', 'bank_info', 'bank_account'] as const;

/**
 * Lets only administrators give and take console roles, or change the guarded fields of a person with one. Otherwise a
 * key that writes users, or a person with a lower role, could take that person's place.
 * @param before undefined for a new user
 */
export function staffRefusal(
  before: UserRow | undefined,
  after: UserRow,
  principal: Principal,
): Refusal<'rest_forbidden'> | undefined {
  if (isDirectAdministrator(principal)) return undefined;
  const was = before?.user ?? nobody;
  const isSameRole = was.staff_role_id === after.user.staff_role_id;
  if (!isSameRole || isAdministrator(was) !== isAdministrator(after.user)) {
    return refuse('rest_forbidden', {
      message: 'Only an administrator may grant or remove roles in the console.',
    });
  }
  if (!before || !isStaff(was)) return undefined;
  const changed: string[] = guarded.filter((name) => !isSame(before.user[name], after.user[name]));
  if (!isSame(before.external_ids, after.external_ids)) changed.push('external_ids');
  if (changed.length === 0) return undefined;
  return refuse('rest_forbidden', {
    message: `Only an administrator may change these fields of somebody with a role in the console: ${changed.join(', ')}.`,
  });
}

/** Lets only administrators end the sessions of a person with a console role. */
export const sessionsRefusal = (
  user: UserRow['user'],
  principal: Principal,
): Refusal<'rest_forbidden'> | undefined =>
  isStaff(user) && !isDirectAdministrator(principal)
    ? refuse('rest_forbidden', {
        message:
          'Only an administrator may end the sessions of somebody with a role in the console.',
      })
    : undefined;

/** Tells if an administrator acts as themselves: in their own session or in the console. */
function isDirectAdministrator(principal: Principal): boolean {
  if (principal.kind === 'console') return principal.isAdministrator;
  return principal.kind === 'session' && principal.isAdmin && principal.actorId === null;
}

export const losesAdministrator = (before: UserRow, after: UserRow): boolean =>
  governs(before) && !governs(after);

const governs = ({ user }: UserRow): boolean => isAdministrator(user) && user.status === 'active';
