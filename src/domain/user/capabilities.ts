import { type UserRole, userRoles } from '../../schema/lists.ts';
import type { Scope } from '../../schema/scopes.ts';

/** Permissions of a user beyond their own affairs. */
export const capabilities = ['manage_options', 'read_admin', 'upload_files'] as const;
export type Capability = (typeof capabilities)[number];

const granted: Record<UserRole, readonly Capability[]> = {
  administrator: ['manage_options', 'read_admin', 'upload_files'],
  'shop-manager': ['read_admin', 'upload_files'],
  affiliate: ['upload_files'],
  member: [],
};

/** The capabilities a user has through their roles. */
export const capabilitiesOf = (roles: readonly UserRole[]): Capability[] =>
  capabilities.filter((capability) => roles.some((role) => granted[role].includes(capability)));

/** The roles that give a capability. */
export const rolesWith = (capability: Capability): UserRole[] =>
  userRoles.filter((role) => granted[role].includes(capability));

/**
 * The roles whose people may do in the console what an API key of this scope may. Issuing sessions is for
 * backends alone: who acts as a user does so by switching, which is logged.
 */
export function rolesWithScope(scope: Scope): UserRole[] {
  if (scope === 'sessions:write') return [];
  return scope.endsWith(':read') ? rolesWith('read_admin') : rolesWith('manage_options');
}
