import type { SQL } from 'drizzle-orm';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Need } from '../kernel/budget.ts';
import type { Log } from '../kernel/endpoint/finish.ts';
import { failureOf } from '../kernel/errors/tell.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { nextDelivery } from '../kernel/events/claims.ts';
import { deliverDue } from '../kernel/events/delivery.ts';
import { sendDue } from '../processes/messages/sending.ts';
import { queueDue } from '../processes/reminders/sending.ts';
import { atLeisure, findMoments, never } from '../queries/due.ts';
import { nextMessage, nextReminder } from '../queries/message-claims.ts';
import { someObjectsGone } from '../queries/files.ts';
import { someBuyersStale } from '../queries/new-buyers.ts';
import { nextExpiry } from '../queries/orders.ts';
import { nextUnreviewed } from '../queries/purchase-forms.ts';
import { removeExpired, someExpired } from '../queries/retention.ts';
import {
  nextAnnouncement,
  nextEnd,
  nextOverdue,
  nextResuming,
} from '../queries/subscription-due.ts';
import { nextAsking } from '../queries/mutation-sources.ts';
import { nextTelling } from '../queries/payout-lines.ts';
import { nextSessionCheck } from '../queries/payment-sessions.ts';
import { nextRefundDue } from '../queries/provider-refunds.ts';
import { nextStateChange } from '../queries/settings-states.ts';
import { isUnchecked } from '../queries/store-mark.ts';
import type { MessageMedium } from '../schema/lists.ts';
import { alertSeller } from './alert.ts';
import { askProviders } from './ask-providers.ts';
import { cancelExpired, cancelUnreviewed } from './cancel-expired-orders.ts';
import { endNewBuyers } from './end-new-buyers.ts';
import {
  announceEnds,
  announceOverdues,
  expireSubscriptions,
  resumePaused,
} from './expire-subscriptions.ts';
import { findTransfers, listingSources } from './find-transfers.ts';
import { removeGone } from './remove-files.ts';
import { sendRefunds } from './send-refunds.ts';
import { tellPayouts } from './tell-payouts.ts';
import { tellStates } from './tell-states.ts';

/** Work that falls due. A job continues where it stopped, so no run has to finish it. */
interface Job {
  /** SQL for the time of its next work, answered by an index alone; null for none. */
  readonly due: (services: Services) => SQL;
  /** Takes less than a minute. */
  readonly run: (services: Services) => Promise<unknown>;
}

/** One job per medium: media don't depend on each other. */
const messagesBy = (medium: MessageMedium): Job => ({
  due: () => nextMessage(medium),
  run: (services) => sendDue(medium, services),
});

/** In order: deliveries include the events of the jobs before them. */
const jobs: Readonly<Record<string, Job>> = {
  payments: { due: () => nextSessionCheck, run: askProviders },
  transfers: {
    due: (services) =>
      nextAsking(
        listingSources(services).map(({ id }) => id),
        services.clock.now(),
      ),
    run: findTransfers,
  },
  'refunds at providers': { due: () => nextRefundDue, run: sendRefunds },
  'expired orders': { due: () => nextExpiry, run: cancelExpired },
  'receipts that nobody reviewed': { due: () => nextUnreviewed, run: cancelUnreviewed },
  'expired subscriptions': {
    due: () => nextEnd,
    run: (services) => expireSubscriptions(services),
  },
  'ends of subscriptions': {
    due: () => nextAnnouncement,
    run: (services) => announceEnds(services),
  },
  'overdue payments of plans': {
    due: () => nextOverdue,
    run: (services) => announceOverdues(services),
  },
  'ends of pauses': { due: () => nextResuming, run: (services) => resumePaused(services) },
  'states changed by time': {
    due: ({ clock }) => nextStateChange(clock.now()),
    run: (services) => tellStates(services),
  },
  'payouts to tell of': { due: () => nextTelling, run: tellPayouts },
  reminders: { due: () => nextReminder, run: queueDue },
  deliveries: {
    due: () => nextDelivery('healthy'),
    run: (services) => deliverDue(services, 'healthy'),
  },
  'deliveries to failing endpoints': {
    due: () => nextDelivery('failing'),
    run: (services) => deliverDue(services, 'failing'),
  },
  'e-mails': messagesBy('email'),
  'messages by WhatsApp': messagesBy('whatsapp'),
  'messages by SMS': messagesBy('sms'),
  files: {
    due: ({ media, clock }) => (media ? atLeisure(someObjectsGone(clock.now())) : never),
    run: removeGone,
  },
  alerts: {
    due: ({ clock }) => atLeisure(isUnchecked(clock.now())),
    run: alertSeller,
  },
  'accounts of new buyers': {
    due: ({ clock }) => atLeisure(someBuyersStale(clock.now())),
    run: endNewBuyers,
  },
  retention: {
    due: ({ config, clock }) => atLeisure(someExpired(config, clock.now())),
    run: ({ connection, config, clock }) =>
      new UnitOfWork(connection, undefined).write(removeExpired(config, clock.now())),
  },
};

export interface DueJob {
  readonly job: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** One trip for all jobs. */
export async function findDue(services: Services): Promise<DueJob[]> {
  const moments = Object.entries(jobs).map(([job, { due }]) => [job, due(services)] as const);
  const unit = new UnitOfWork(services.connection, undefined);
  const { found } = await unit.query({ found: findMoments(Object.fromEntries(moments)) });
  return found.rows.map(({ name, at }) => ({ job: name, at }));
}

/**
 * Does one job. A failure is logged.
 * @returns true if the job continues in another invocation at once, because this one has too few calls left
 */
export async function runJob(job: string, services: Services, log: Log): Promise<boolean> {
  try {
    await jobs[job]?.run(services);
  } catch (error) {
    log({ level: 'error', job, ...failureOf(error as Error) });
  }
  return services.budget.isShort;
}

/** Calls that must be left before a job begins. */
const least: Need = { calls: 4, kept: 0 };

/**
 * Does every due job once, the longest overdue first. It is for deployments without a scheduler: their cron runs every
 * minute. If the calls run out, the next run continues. Failures are logged.
 */
export async function runJobs(services: Services, log: Log): Promise<void> {
  try {
    await runDueJobs(services, log);
  } catch (error) {
    log({ level: 'error', job: 'look for due jobs', ...failureOf(error as Error) });
  }
}

async function runDueJobs(services: Services, log: Log): Promise<void> {
  const { budget, clock } = services;
  const done = new Set<string>();
  for (;;) {
    if (budget.fits(least) === 0) return;
    const found = await findDue(services);
    const due = found.filter(({ job, at }) => at <= clock.now().getTime() && !done.has(job));
    if (due.length === 0) return;
    for (const { job } of due.sort((one, other) => one.at - other.at)) {
      if (budget.fits(least) === 0) return;
      done.add(job);
      await runJob(job, services, log);
    }
  }
}
