import { removeExpired } from './db/retention.ts';
import { UnitOfWork } from './db/unit-of-work.ts';
import { sweep } from './events/delivery.ts';
import { type Log, failureOf } from './http/finish.ts';
import { removeGone } from './resources/media/removal.ts';
import { cancelExpired } from './resources/orders/auto-cancel.ts';
import { expireSubscriptions } from './resources/subscriptions/expiry.ts';
import { sendDue } from './resources/reminders/sending.ts';
import type { Services } from './http/services.ts';

/** What is done each minute. Every job takes up where it was left, so that none has to finish. */
const jobs: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  'expired orders': cancelExpired,
  'expired subscriptions': (services) => expireSubscriptions(services),
  reminders: sendDue,
  deliveries: sweep,
  files: removeGone,
  retention: ({ connection, config, clock }) =>
    new UnitOfWork(connection, undefined).write(removeExpired(config, clock.now())),
};

/** Does every job; one that fails is logged and keeps no other from its turn. */
export async function runJobs(services: Services, log: Log): Promise<void> {
  for (const [job, run] of Object.entries(jobs)) {
    try {
      await run(services);
    } catch (error) {
      log({ level: 'error', job, ...failureOf(error as Error) });
    }
  }
}
