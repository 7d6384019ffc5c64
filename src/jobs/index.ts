import { removeExpired } from '../queries/retention.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { deliverDue } from '../kernel/events/delivery.ts';
import { type Log, failureOf } from '../kernel/endpoint/finish.ts';
import { removeGone } from './remove-files.ts';
import { cancelExpired } from './cancel-expired-orders.ts';
import { expireSubscriptions } from './expire-subscriptions.ts';
import { sendDue } from '../operations/reminders/sending.ts';
import type { Services } from '../kernel/endpoint/services.ts';

/** What is done each minute. Every job takes up where it was left, so that none has to finish. */
const jobs: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  'expired orders': cancelExpired,
  'expired subscriptions': (services) => expireSubscriptions(services),
  reminders: sendDue,
  deliveries: (services) => deliverDue(services, 'healthy'),
  'deliveries to failing endpoints': (services) => deliverDue(services, 'failing'),
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
