import {
  type ChangeRequest,
  type SubscriptionMove,
  type SubscriptionState,
  moveEvents,
} from '../../domain/subscription/changes.ts';
import { accessEvents } from '../../domain/access/events.ts';
import { stateChanged } from '../../domain/user/events.ts';
import { grantOfSubscription } from '../../domain/access/order-grant.ts';
import { type LicenseRow, revised } from '../../domain/license/rules.ts';
import { changesValidity } from '../../domain/license/verdicts.ts';
import type { SubscriptionColumns } from '../../schema/subscriptions.ts';
import { toStoreSubscription } from '../../domain/subscription/rules.ts';
import type { StoreSubscription } from '../../domain/subscription/schemas.ts';
import {
  type Argument,
  type Results,
  drawId,
  nextId,
  type Write,
} from '../../kernel/database/statements.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import { loadGroupOfSubscription } from '../../queries/groups.ts';
import { groupsOfSubscription } from '../../reactions/groups.ts';
import { findGrantsOfSubscription, saveGrantBeside } from '../../queries/access.ts';
import { firstOrderOfSubscription } from '../../queries/order-chains.ts';
import { findLicensesOf, saveStates } from '../../queries/licenses.ts';
import { cancelForTerm, scheduleForTerm } from '../../queries/reminders.ts';
import { findChanges, findSubscriptionById, findTerms } from '../../queries/subscriptions.ts';
import { saveMove } from '../../queries/subscription-writes.ts';

export const loadMove = (id: number, user_id?: Argument<number>) => ({
  found: findSubscriptionById(id, user_id),
  terms: findTerms(firstOrderOfSubscription(id)),
  changes: findChanges(firstOrderOfSubscription(id)),
  grants: findGrantsOfSubscription(id),
  licenses: findLicensesOf(firstOrderOfSubscription(id)),
  groups: loadGroupOfSubscription(id),
  changeId: drawId('subscription_changes'),
});

export type LoadedMove = Results<ReturnType<typeof loadMove>>;

/** The state for a decision, or the reason why the subscription can't change. */
export function stateOf(loaded: LoadedMove, ifMatch: number | undefined) {
  const versions = loaded.found.map((row) => ({ ...row, version: row.subscription.version }));
  const row = current(versions, ifMatch);
  return isRefusal(row) ? row : { ...row, terms: loaded.terms, changes: loaded.changes };
}

export const requestOf = (
  { changeId }: LoadedMove,
  by: ChangeRequest['by'],
  now: Date,
): ChangeRequest => ({ by, now, id: nextId(changeId) });

interface PlannedMove {
  readonly write: readonly Write[];
  readonly events: readonly DomainEvent[];
  readonly before?: StoreSubscription;
  readonly after: StoreSubscription;
}

type StoreState = SubscriptionState & LoadedMove['found'][number];

/** Includes the group, access, licences and reminders. */
export function planMove(
  loaded: LoadedMove,
  state: StoreState,
  move: SubscriptionMove,
  now: Date,
): PlannedMove {
  const { subscription } = state;
  const { first_order_id } = subscription;
  const run = { before: subscription, after: move.subscription };
  const moved = groupsOfSubscription(run, loaded.groups, now);
  const row = { ...state, subscription: move.subscription, group: moved.group };
  const after = toStoreSubscription(row, now.toISOString());
  if (move.subscription === subscription) return { write: [], events: [], after };
  const access = accessAfter(loaded, state, move, now);
  const licenses = licensesAfter(loaded.licenses, state, move, now);
  return {
    write: [
      // The user's row comes first, as in changes of orders.
      ...moved.write,
      ...saveMove(subscription, move),
      ...access.write,
      ...(licenses.length > 0 ? [saveStates(licenses)] : []),
      cancelForTerm(first_order_id, now),
      scheduleForTerm(first_order_id, now),
    ],
    events: [
      ...moveEvents({ ...state, group: moved.group }, move, now),
      ...access.events,
      ...moved.events,
      ...(licenses.length > 0 || moveChangesValidity(loaded.licenses, subscription, move, now)
        ? [stateChanged(subscription.user_id, 'licenses')]
        : []),
    ],
    before: toStoreSubscription(state, now.toISOString()),
    after,
  };
}

function accessAfter(
  { grants }: LoadedMove,
  { subscription: { first_order_id }, product, timezone }: StoreState,
  { subscription }: SubscriptionMove,
  now: Date,
) {
  const held = grants.find(({ order_id }) => order_id === first_order_id);
  const grant = held && grantOfSubscription(held, subscription, now);
  if (!grant || grant === held) return { write: [], events: [] };
  const events = accessEvents(held, { grant, product, timezone }, grants, now.toISOString());
  return { write: saveGrantBeside(grant, grants), events };
}

/** Tells if a move of a subscription makes one of its licences valid or invalid. */
const moveChangesValidity = (
  rows: readonly LicenseRow[],
  before: SubscriptionColumns,
  { subscription }: SubscriptionMove,
  now: Date,
): boolean =>
  rows
    .map((row) => ({ ...row, order_status: null, subscription: before }))
    .some((row) => changesValidity(row, { ...row, subscription }, now));

/** The licences that an ended pause extends. */
function licensesAfter(
  rows: readonly LicenseRow[],
  { subscription: { paused_at } }: StoreState,
  { resumed_at }: SubscriptionMove,
  now: Date,
): LicenseRow[] {
  if (resumed_at === undefined || paused_at === null) return [];
  return rows
    .map((row) => ({ ...row, pauses: [...row.pauses, { at: paused_at, resumed_at }] }))
    .map((row) => ({ row, after: revised(row, {}, now) }))
    .filter(({ row, after }) => row.license.expires_at !== after.license.expires_at)
    .map(({ after }) => after);
}
