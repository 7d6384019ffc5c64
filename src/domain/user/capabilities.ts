import { type UserRole, userRoles } from '../../schema/lists.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { users } from '../../schema/users.ts';

/** Permissions beyond a user's own data. */
export const capabilities = ['manage_options', 'read_admin', 'upload_files'] as const;
export type Capability = (typeof capabilities)[number];

const granted: Record<UserRole, readonly Capability[]> = {
  administrator: ['manage_options', 'read_admin', 'upload_files'],
  'shop-manager': ['read_admin', 'upload_files'],
  affiliate: ['upload_files'],
  member: [],
};

export type Holder = Pick<typeof users.$inferSelect, 'roles' | 'staff_role_id'>;

/** Every role in the console has these. */
export const isOfStaff = (capability: Capability): boolean => capability !== 'manage_options';

export const capabilitiesOf = ({ roles, staff_role_id }: Holder): Capability[] =>
  capabilities.filter(
    (capability) =>
      roles.some((role) => granted[role].includes(capability)) ||
      (staff_role_id !== null && isOfStaff(capability)),
  );

export const rolesWith = (capability: Capability): UserRole[] =>
  userRoles.filter((role) => granted[role].includes(capability));

export const isAdministrator = ({ roles }: Pick<Holder, 'roles'>): boolean =>
  roles.includes('administrator');

/** Administrators, and people with a role in the console. */
export const isStaff = (user: Holder): boolean =>
  isAdministrator(user) || user.staff_role_id !== null;

/** Only backends issue sessions. In the console, people act as a user by switching, which is logged. */
export const isInConsole = (scope: Scope): boolean => scope !== 'sessions:write';
