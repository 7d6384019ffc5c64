import type { UserRole } from '../../schema/lists.ts';
import { isTruthy, phpArray } from './values.ts';

const known: Readonly<Record<string, readonly UserRole[]>> = {
  administrator: ['administrator'],
  shop_manager: ['shop-manager'],
  'sejoli-member': ['affiliate'],
};

/**
 * What WordPress lets somebody do (`{p}capabilities`), as roles of the store: a member at least.
 * @param sells whether another plugin has them as an affiliate
 */
export function rolesOf(capabilities: string | undefined, sells = false): UserRole[] {
  const held = phpArray(capabilities ?? null) ?? {};
  const roles = Object.keys(held)
    .filter((name) => isTruthy(held[name]))
    .flatMap((name) => known[name] ?? []);
  return [
    ...new Set<UserRole>([...roles, 'member', ...(sells ? (['affiliate'] as const) : [])]),
  ].sort();
}
