import { paidStatuses } from '../../schema/lists.ts';
import type { Instant } from '../../lib/instant.ts';
import { type OrderChange, firstOfChain } from '../order/change.ts';
import { statusGroup } from '../order/transitions.ts';
import type { ChangedChain } from '../subscription/chain.ts';
import { changedGrant, continuedStart, revokedGrant } from './rules.ts';
import { type Grant } from '../../schema/access.ts';
import { firstVersion } from '../../lib/versions.ts';
import type { SubscriptionColumns } from '../../schema/subscriptions.ts';

/** `same` leaves the grant unchanged. */
type Outcome =
  | { readonly status: 'same' | 'pending' | 'revoked' | 'paused' }
  | { readonly status: 'active'; readonly end_active: Instant | null };

/**
 * The orders of a subscription share one grant, which ends with the subscription.
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
  const outcome = outcomeOf(change, held, chain);
  switch (outcome.status) {
    case 'same':
      return held;
    case 'revoked':
      return !held || isTaken(held) ? held : revokedGrant(held, after.status, now);
    case 'paused':
      return held && pausedGrant(held, isBoughtNow(change, chain), now);
    case 'pending':
      if (held?.status === 'pending') return held;
      return changed(change, held, id, {
        ...untouched,
        status: 'pending',
        end_active: ownEnd(change, held),
      });
    case 'active': {
      const at = now.toISOString();
      const { end_active } = outcome;
      const start = held && isGiven(held) ? continuedStart(held, end_active, at) : at;
      const subscription_id = chain?.subscription?.id ?? null;
      if (held && isTaken(held) && !isBoughtNow(change, chain)) return held;
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

const paused = 'paused';

/** False after a manual revocation during the pause: up to version 0.1.0 the reason stayed `paused`. */
const isPaused = ({ status, revoke_reason, deleted_at }: Grant) =>
  status === 'revoked' && revoke_reason === paused && deleted_at === null;

/** Tells if the grant is active, or would be without a pause. */
const isGiven = (grant: Grant) => grant.status === 'active' || isPaused(grant);

/** Tells if the grant was revoked, and not by a pause. */
export const isTaken = (grant: Grant) => grant.status === 'revoked' && !isPaused(grant);

/** Manually revoked access stays revoked, unless it is bought again. */
function pausedGrant(held: Grant, isBought: boolean, now: Date): Grant {
  if (isPaused(held) || (isTaken(held) && !isBought)) return held;
  const start = isTaken(held) ? now.toISOString() : held.start;
  return { ...revokedGrant(held, paused, now), start, deleted_at: null };
}

/** Applies a change of the subscription; returns the same object if nothing changes. */
export function grantOfSubscription(
  held: Grant,
  { id, status, end_date }: SubscriptionColumns,
  now: Date,
): Grant {
  if (status === 'paused') return pausedGrant(held, false, now);
  const isUnpaid = status === 'pending' || status === 'inactive';
  const isSame = held.status === 'active' && held.end_active === end_date;
  if (isUnpaid || isTaken(held) || held.status === 'pending' || isSame) return held;
  const start = continuedStart(held, end_date, now.toISOString());
  const fields = { ...untouched, start, end_active: end_date, subscription_id: id };
  return changedGrant(held, { ...fields, status: 'active' }, now);
}

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

function outcomeOf(
  change: OrderChange,
  held: Grant | undefined,
  chain: ChangedChain | undefined,
): Outcome {
  const { before, after } = change;
  const { status, end_date = null } = chain?.subscription ?? {};
  if (status === 'paused') return { status };
  if (end_date !== null || status === 'active') return { status: 'active', end_active: end_date };
  if (after.order_parent_id !== null) {
    if (status === 'inactive') return { status: 'revoked' };
    return { status: status === 'pending' ? 'pending' : 'same' };
  }
  if (statusGroup(after.status) === 'closed') return { status: 'revoked' };
  if (givesAccess(change)) return { status: 'active', end_active: ownEnd(change, held) };
  return { status: after.status === 'on-hold' || before === null ? 'pending' : 'same' };
}

/** Returns the end that an imported order brought. */
const ownEnd = ({ after }: OrderChange, held: Grant | undefined): Instant | null =>
  (after.type === 'regular' && held?.end_active) || null;

function givesAccess({ after: { status, paid_at }, settings }: OrderChange): boolean {
  if (paid_at === null || !paidStatuses.some((paid) => paid === status)) return false;
  return status === 'completed' || settings.access_statuses.includes(status);
}

/** Tells if the change is a purchase. A purchase gives access again after a manual revocation. */
function isBoughtNow({ before, after }: OrderChange, chain: ChangedChain | undefined): boolean {
  const paidNow = after.paid_at !== null && (before?.paid_at ?? null) === null;
  return chain?.step === 'activated' || (paidNow && after.order_parent_id === null);
}
