import { paidStatuses } from '../../schema/lists.ts';
import type { Instant } from '../../lib/instant.ts';
import { type OrderChange, firstOfChain } from '../order/change.ts';
import { statusGroup } from '../order/transitions.ts';
import type { ChangedChain } from '../subscription/chain.ts';
import { changedGrant, revokedGrant } from './rules.ts';
import { type Grant } from '../../schema/access.ts';
import { firstVersion } from '../../lib/versions.ts';

/** The effect of an order's change on the access that comes from it; `same` leaves it as it is. */
type Outcome =
  | { readonly status: 'same' | 'pending' | 'revoked' }
  | { readonly status: 'active'; readonly end_active: Instant | null };

/**
 * The grant of an order after a change of it; of a chain of subscription orders they share one, which
 * ends with the subscription.
 * @param id for a new grant
 */
export function grantAfter(
  change: OrderChange,
  held: Grant | undefined,
  chain: ChangedChain | undefined,
  id: number,
): Grant | undefined {
  const { before, after, now } = change;
  if (before?.status === after.status) return held;
  const outcome = outcomeOf(change, chain);
  switch (outcome.status) {
    case 'same':
      return held;
    case 'revoked':
      return !held || held.status === 'revoked' ? held : revokedGrant(held, after.status, now);
    case 'pending':
      if (held?.status === 'pending') return held;
      return changed(change, held, id, { ...untouched, status: 'pending' });
    case 'active': {
      const start = held?.status === 'active' ? held.start : now.toISOString();
      const { end_active } = outcome;
      const subscription_id = chain?.subscription?.id ?? null;
      if (held?.status === 'revoked' && !isBoughtNow(change, chain)) return held;
      if (held?.status === 'active' && held.end_active === end_active) return held;
      const fields = {
        ...untouched,
        status: 'active' as const,
        start,
        end_active,
        subscription_id,
      };
      return changed(change, held, id, fields);
    }
  }
}

/** The marks of what happened to a grant, as one has them to which nothing did. */
const untouched = {
  start: null,
  end_active: null,
  revoked_at: null,
  revoke_reason: null,
  deleted_at: null,
};

function changed(
  { after, now }: OrderChange,
  held: Grant | undefined,
  id: number,
  fields: Partial<Grant> & Pick<Grant, 'status'>,
): Grant {
  if (held) return changedGrant(held, fields, now);
  return {
    ...untouched,
    id,
    user_id: after.user_id,
    product_id: after.product_id,
    order_id: firstOfChain(after),
    subscription_id: null,
    source: after.type === 'regular' ? 'order' : 'subscription',
    note: null,
    ...firstVersion(now.toISOString()),
    ...fields,
  };
}

function outcomeOf(change: OrderChange, chain: ChangedChain | undefined): Outcome {
  const { before, after } = change;
  const { status, end_date = null } = chain?.subscription ?? {};
  if (end_date !== null) return { status: 'active', end_active: end_date };
  if (after.order_parent_id !== null) {
    if (status === 'inactive') return { status: 'revoked' };
    return { status: status === 'pending' ? 'pending' : 'same' };
  }
  if (statusGroup(after.status) === 'closed') return { status: 'revoked' };
  if (givesAccess(change)) return { status: 'active', end_active: null };
  return { status: after.status === 'on-hold' || before === null ? 'pending' : 'same' };
}

/** True if the order is paid and has a status that gives access in this store. */
function givesAccess({ after: { status, paid_at }, settings }: OrderChange): boolean {
  if (paid_at === null || !paidStatuses.some((paid) => paid === status)) return false;
  return status === 'completed' || settings.access_statuses.includes(status);
}

/** True if the change is a purchase, which gives access again where it was taken away manually. */
function isBoughtNow({ before, after }: OrderChange, chain: ChangedChain | undefined): boolean {
  const paidNow = after.paid_at !== null && (before?.paid_at ?? null) === null;
  return chain?.step === 'activated' || (paidNow && after.order_parent_id === null);
}
