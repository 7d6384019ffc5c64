import type { Need } from '../kernel/budget.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { DatabaseUnavailable } from '../kernel/database/errors.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { stateChanged } from '../domain/user/events.ts';
import { subscriptionEvent } from '../domain/subscription/events.ts';
import {
  announceEnd,
  announceOverdue,
  expireSubscription,
  findEnding,
  findOver,
  findOverInGroup,
  findOverLicensed,
  findOverdue,
  findResuming,
} from '../queries/subscription-due.ts';
import { loadGroupOfSubscription } from '../queries/groups.ts';
import { findSubscriptionById } from '../queries/subscriptions.ts';
import { groupsOfSubscription } from '../reactions/groups.ts';
import { loadMove, planMove, stateOf } from '../actions/subscriptions/moving.ts';
import { resumedByItself } from '../domain/subscription/changes.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { type SubscriptionRow, statusAt, toSubscription } from '../domain/subscription/rules.ts';
import type { SubscriptionColumns } from '../schema/subscriptions.ts';
import { eachWithinBudget } from './turns.ts';

/** Calls for one subscription. */
const need: Need = { calls: 2, kept: 0 };

/** Subscriptions per turn. The next turn continues. */
const most = 200;

/**
 * Records ended subscriptions and raises their events. Nothing waits for this: readers compare the end with the time.
 */
export async function expireSubscriptions(services: Services, limit: number = most) {
  await changeEach(services, {
    found: findOver,
    limit,
    write: expireSubscription,
    event: 'subscription.expired',
  });
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findOverInGroup(services.clock.now(), limit) });
  await eachWithinBudget(services, need, due, ({ id }) => expireInGroup(services, id));
}

/** Ends a subscription in its own transaction, and moves its user back to their former group. */
async function expireInGroup(services: Services, id: number): Promise<boolean> {
  const refused = await changeAsSystem(services, {
    load: {
      found: findSubscriptionById(id),
      licensed: findOverLicensed(services.clock.now(), 1, id),
      groups: loadGroupOfSubscription(id),
    },
    decide: ({ found: [row], licensed, groups }) => {
      const now = services.clock.now();
      if (!row) return { write: [], reply: null };
      const before = row.subscription;
      const status = statusAt(before, now.toISOString());
      // A renewal came in between.
      if (status === before.status) return { write: [], reply: null };
      const moved = groupsOfSubscription({ before, after: { ...before, status } }, groups, now);
      const shown = shownAt({ ...row, group: moved.group }, now);
      return {
        write: [...moved.write, expireSubscription(before, now)],
        events: [
          subscriptionEvent('subscription.expired', shown),
          stateEnded(before, licensed),
          ...moved.events,
        ],
        reply: null,
      };
    },
  });
  return refused === undefined;
}

/** Announces each coming end once. */
export const announceEnds = (services: Services, limit: number = most) =>
  changeEach(services, {
    found: findEnding,
    limit,
    write: announceEnd,
    event: 'subscription.ending',
  });

/** Announces each overdue payment of a plan once. */
export const announceOverdues = (services: Services, limit: number = most) =>
  changeEach(services, {
    found: findOverdue,
    limit,
    write: announceOverdue,
    event: 'subscription.overdue',
  });

/** Ends each pause that is over in its own transaction. */
export async function resumePaused(services: Services, limit: number = most): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findResuming(services.clock.now(), limit) });
  await eachWithinBudget(services, need, due, async ({ id }) => {
    await changeAsSystem(services, {
      load: loadMove(id),
      decide: (loaded) => {
        const now = services.clock.now();
        const nothing = { write: [], reply: null };
        const state = stateOf(loaded, undefined);
        if (isRefusal(state)) return nothing;
        const move = resumedByItself(state, now);
        return move ? { ...planMove(loaded, state, move, now), reply: null } : nothing;
      },
    });
    return true;
  });
}

interface Change {
  readonly found: typeof findOver;
  readonly limit: number;
  readonly write: typeof expireSubscription;
  readonly event: 'subscription.expired' | 'subscription.ending' | 'subscription.overdue';
}

/** Changes all subscriptions in one transaction or, if one fails, each in its own. */
async function changeEach(services: Services, change: Change) {
  const { found, limit } = change;
  try {
    await changeFound(services, change, () => true);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const unit = new UnitOfWork(services.connection, undefined);
    const { rows } = await unit.query({ rows: found(services.clock.now(), limit) });
    await eachWithinBudget(services, need, rows, async ({ subscription: { id } }) => {
      await changeFound(services, change, ({ subscription }) => subscription.id === id);
      return true;
    });
  }
}

const changeFound = (
  services: Services,
  { found, limit, write, event }: Change,
  isMeant: (row: SubscriptionRow) => boolean,
) => {
  const now = services.clock.now();
  return changeAsSystem(services, {
    load: { rows: found(now, limit), licensed: findOverLicensed(now, limit) },
    decide: ({ rows, licensed }) => {
      const meant = rows.filter(isMeant);
      return {
        write: meant.map(({ subscription }) => write(subscription, now)),
        events: meant.flatMap((row) => [
          subscriptionEvent(event, shownAt(row, now)),
          ...(event === 'subscription.expired' ? [stateEnded(row.subscription, licensed)] : []),
        ]),
        reply: null,
      };
    },
  });
};

const stateEnded = (
  { id, user_id }: SubscriptionColumns,
  licensed: readonly Pick<SubscriptionColumns, 'id'>[],
) =>
  licensed.some((one) => one.id === id)
    ? stateChanged(user_id, 'subscriptions', 'licenses')
    : stateChanged(user_id, 'subscriptions');

const shownAt = (row: SubscriptionRow, now: Date) => toSubscription(row, now.toISOString());
