import { type UserRole, userRoles } from '../../schema/lists.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { users } from '../../schema/users.ts';

/** A user's permissions beyond their own data. */
export const capabilities = ['manage_options', 'read_admin', 'upload_files'] as const;
export type Capability = (typeof capabilities)[number];

const granted: Record<UserRole, readonly Capability[]> = {
  administrator: ['manage_options', 'read_admin', 'upload_files'],
  'shop-manager': ['read_admin', 'upload_files'],
  affiliate: ['upload_files'],
  member: [],
};

/** The fields of a user that determine their permissions. */
export type Holder = Pick<typeof users.$inferSelect, 'roles' | 'staff_role_id'>;

/** Tells if a capability comes with every role in the console. */
export const isOfStaff = (capability: Capability): boolean => capability !== 'manage_options';

/** The capabilities a user has through their roles. */
export const capabilitiesOf = ({ roles, staff_role_id }: Holder): Capability[] =>
  capabilities.filter(
    (capability) =>
      roles.some((role) => granted[role].includes(capability)) ||
      (staff_role_id !== null && isOfStaff(capability)),
  );

export const rolesWith = (capability: Capability): UserRole[] =>
  userRoles.filter((role) => granted[role].includes(capability));

/** Tells if a user is an administrator. */
export const isAdministrator = ({ roles }: Pick<Holder, 'roles'>): boolean =>
  roles.includes('administrator');

/** Tells if a user works in the console: administrators, and people with a role there. */
export const isStaff = (user: Holder): boolean =>
  isAdministrator(user) || user.staff_role_id !== null;

/**
 * Tells if the console has a scope. Only backends issue sessions: people act as a user by switching, which is logged.
 */
export const isInConsole = (scope: Scope): boolean => scope !== 'sessions:write';
