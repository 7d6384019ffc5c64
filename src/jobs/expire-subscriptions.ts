import { changeAsSystem } from '../kernel/command/system.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { subscriptionEvent } from '../domain/subscription/events.ts';
import { announceEnd, expireSubscription, findEnding, findOver } from '../queries/subscriptions.ts';
import { type SubscriptionRow, toSubscription } from '../domain/subscription/rules.ts';

/** Most subscriptions in one turn; what is left over is the next turn's. */
const most = 200;

/**
 * Notes down which subscriptions are over and tells it; for the cron. Nothing waits for it: whoever
 * reads a subscription goes by its end.
 */
export const expireSubscriptions = (services: Services, limit: number = most) =>
  changeEach(services, {
    found: findOver,
    limit,
    write: expireSubscription,
    event: 'subscription.expired',
  });

/** Tells which subscriptions end soon, each end once. */
export const announceEnds = (services: Services, limit: number = most) =>
  changeEach(services, {
    found: findEnding,
    limit,
    write: announceEnd,
    event: 'subscription.ending',
  });

/** What is done with each of the subscriptions found. */
interface Change {
  readonly found: typeof findOver;
  readonly limit: number;
  readonly write: typeof expireSubscription;
  readonly event: 'subscription.expired' | 'subscription.ending';
}

async function changeEach(services: Services, { found, limit, write, event }: Change) {
  const now = services.clock.now();
  await changeAsSystem(services, {
    load: { rows: found(now, limit) },
    decide: ({ rows }) => ({
      write: rows.map(({ subscription }) => write(subscription, now)),
      events: rows.map((row) => subscriptionEvent(event, shownAt(row, now))),
      reply: null,
    }),
  });
}

const shownAt = (row: SubscriptionRow, now: Date) => toSubscription(row, now.toISOString());
