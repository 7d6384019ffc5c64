import type { Clock } from '../../lib/instant.ts';

/** The Durable Object that looks for due work. */
export interface Scheduler {
  /** Makes the scheduler look for due work within a minute. */
  wake(): Promise<void>;
  /** Makes the scheduler look for due work at once. */
  goOn(): Promise<void>;
}

/** The platform's binding of the scheduler, if the deployment has one. */
export interface SchedulerNamespace<S = Scheduler> {
  getByName(name: string): S;
}

/** The name of the object with the alarm. */
export const schedulerName = 'scheduler';

/**
 * Milliseconds for which a wake-up covers further writes of this isolate. The scheduler looks a minute after the
 * wake-up, and all of them must be committed by then; a request has 10 s for its trips.
 */
const covers = 45_000;

/**
 * Milliseconds: the longest that a write waits for the scheduler, and the time after a failure in which writes don't
 * wake it.
 */
const patience = 1000;
const pause = 5000;

/** The reason why the scheduler could not be reached. The write continues, and the hourly cron finds the due work. */
class SchedulerUnreachable extends Error {
  override readonly name = 'SchedulerUnreachable';
}

/**
 * Makes the function that wakes the scheduler for a write. It returns at once if the scheduler is awake.
 * @throws SchedulerUnreachable
 */
export function waker(
  namespace: SchedulerNamespace | undefined,
  clock: Clock,
): () => Promise<void> {
  if (!namespace) return async () => {};
  let coveredUntil = -Infinity;
  let failedUntil = -Infinity;
  return async () => {
    const now = clock.now().getTime();
    if (now < coveredUntil) return;
    if (now < failedUntil)
      throw new SchedulerUnreachable('The scheduler did not answer a moment ago.');
    try {
      await inTime(namespace.getByName(schedulerName).wake());
      coveredUntil = now + covers;
    } catch (error) {
      failedUntil = now + pause;
      throw new SchedulerUnreachable('The scheduler did not answer.', { cause: error });
    }
  };
}

/**
 * Makes the function that has the scheduler look for due work at once. If it fails, the scheduler still looks after the
 * wake-up.
 */
export const goesOn = (namespace: SchedulerNamespace | undefined) => async (): Promise<void> => {
  await namespace
    ?.getByName(schedulerName)
    .goOn()
    .catch(() => undefined);
};

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('It took too long.')), patience);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
