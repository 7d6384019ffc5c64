import type { SQL } from 'drizzle-orm';
import type { Results } from '../../kernel/database/statements.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { findGrantsOf } from '../../queries/access.ts';
import { listLicenses } from '../../queries/licenses.ts';
import { listSubscriptions } from '../../queries/subscriptions.ts';
import { findUser } from '../../queries/users.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { UserState } from './state-schemas.ts';

/** Limits the subscriptions and the licences in a state. */
const most = { limit: 100, offset: 0, ascending: false, after: undefined } as const;

/** @param id the id, or a query for it */
export const loadUserState = (id: number | SQL<number>) => ({
  found: findUser(id),
  grants: findGrantsOf(id),
  subscriptions: listSubscriptions({ user_id: id }, most),
  licenses: listLicenses({ user_id: id, status: 'active' }, most),
});

const runningStatuses = ['active', 'paused', 'pending'];

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
      ? subscriptions
          .map((each) => toSubscription(each, at))
          .filter(({ status }) => runningStatuses.includes(status))
      : null,
    licenses: may('licenses:read')
      ? licenses
          .map((each) => forList(toLicense(each, now), false))
          .filter(({ expires_at }) => expires_at === null || expires_at > at)
      : null,
    group: group && may('users:read') ? { id: group.id, name: group.name } : null,
  };
}
