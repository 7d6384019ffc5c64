import type { UserRole } from '../../../src/exports/store.ts';
import { isTruthy, phpArray } from './values.ts';

const known: ReadonlyMap<string, UserRole> = new Map([
  ['administrator', 'administrator'],
  ['shop_manager', 'shop-manager'],
  ['sejoli-member', 'affiliate'],
]);

/**
 * Turns WordPress's capabilities (`{p}capabilities`) into roles of the store: a member at least.
 * @param sells true if another plugin lists them as an affiliate
 */
export function rolesOf(capabilities: string | undefined, sells = false): UserRole[] {
  const held = phpArray(capabilities ?? null) ?? {};
  const roles = Object.keys(held)
    .filter((name) => isTruthy(held[name]))
    .flatMap((name) => known.get(name) ?? []);
  return [
    ...new Set<UserRole>([...roles, 'member', ...(sells ? (['affiliate'] as const) : [])]),
  ].sort();
}

/** Tells if a person's capabilities are unreadable: then they become a member. */
export const areUnreadable = (capabilities: string | undefined): boolean =>
  (capabilities ?? '') !== '' && phpArray(capabilities ?? null) === undefined;

/** Tells if the user `u.ID` has a role, in SQL for the comparison. */
export const holds = (role: string): string => `coalesce(php_text((
  select meta_value from usermeta where user_id = u.ID and meta_key like '%capabilities' limit 1),
  '${role}'), '') not in ('', '0')`;
