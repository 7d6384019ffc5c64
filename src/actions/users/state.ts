import type { SQL } from 'drizzle-orm';
import type { Results } from '../../kernel/database/statements.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { findGrantsOf } from '../../queries/access.ts';
import { listValidLicenses } from '../../queries/licenses.ts';
import { listCurrent } from '../../queries/subscriptions.ts';
import { findUser } from '../../queries/users.ts';
import type { Scope } from '../../schema/scopes.ts';
import { type UserState, mostInState } from './state-schemas.ts';

const newest = { limit: mostInState, offset: 0, ascending: false, after: undefined } as const;

/** @param id the id, or a query for it */
export const loadUserState = (id: number | SQL<number>, now: Date) => ({
  found: findUser(id),
  grants: findGrantsOf(id),
  subscriptions: listCurrent(id, now, newest),
  licenses: listValidLicenses(id, now, newest),
});

/** The parts that the caller may read; undefined for an unknown user. */
export function userState(
  { found: [row], grants, subscriptions, licenses }: Results<ReturnType<typeof loadUserState>>,
  may: (scope: Scope) => boolean,
  now: Date,
): UserState | undefined {
  if (!row) return undefined;
  const at = now.toISOString();
  const { user, group } = row;
  return {
    id: user.id,
    access: toAccessProducts(user.status === 'active' ? grants : [], at).filter(
      ({ status }) => status === 'active',
    ),
    subscriptions: may('subscriptions:read')
      ? subscriptions.map((each) => toSubscription(each, at))
      : null,
    licenses: may('licenses:read')
      ? licenses.map((each) => forList(toLicense(each, now), false))
      : null,
    group: group && may('users:read') ? { id: group.id, name: group.name } : null,
  };
}
