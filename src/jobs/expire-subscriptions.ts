import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { subscriptionEvent } from '../domain/subscription/events.ts';
import { expireSubscription, findOver } from '../queries/subscriptions.ts';
import { toSubscription } from '../domain/subscription/rules.ts';

/** Most subscriptions in one turn; what is left over is the next turn's. */
const most = 200;

/**
 * Notes down which subscriptions are over and tells it; for the cron. Nothing waits for it: whoever
 * reads a subscription goes by its end.
 */
export async function expireSubscriptions(
  { connection, clock }: Pick<Services, 'connection' | 'clock'>,
  limit: number = most,
): Promise<void> {
  const now = clock.now();
  const unit = new UnitOfWork(connection, undefined);
  const { over } = await unit.query({ over: findOver(now, limit) });
  if (over.length === 0) return;
  await unit.write(
    over.map((row) => {
      const record = toSubscription(row, now.toISOString());
      const event = subscriptionEvent('subscription.expired', record);
      return expireSubscription(row.subscription, event, now);
    }),
  );
}
