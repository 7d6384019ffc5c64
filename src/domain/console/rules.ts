import type { UserRole } from '../../schema/lists.ts';
import { rolesWith } from '../user/capabilities.ts';

/** The lifetime of a sign-in link, in seconds. */
export const linkLifetime = 600;

/** The lifetime of a session in seconds, however much it is used. */
export const sessionLifetime = 7 * 86_400;

/** The roles whose people the console is for, the one that may most first. */
export const consoleRoles: readonly UserRole[] = rolesWith('read_admin');

/** The role somebody has in the console, if they have any. */
export const consoleRole = (roles: readonly string[]): UserRole | undefined =>
  consoleRoles.find((role) => roles.includes(role));
