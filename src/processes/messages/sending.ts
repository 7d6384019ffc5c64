import { type Need, inRound } from '../../kernel/budget.ts';
import { Collision, DatabaseUnavailable, unlessCutOff } from '../../kernel/database/errors.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { deliverNow } from '../../kernel/events/delivery.ts';
import { lanes } from '../../kernel/events/outbound.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { senderFor, sendersOf } from '../../providers/messages/index.ts';
import { claimMessages } from '../../queries/message-claims.ts';
import { type MessageMedium, messageMedia } from '../../schema/lists.ts';
import { attempt, callsOf } from './attempt.ts';

/**
 * Sends due messages after the answer, where the platform allows about 30 s. If the database is away, the jobs send
 * them.
 * @param media by default those with a sender
 */
export const sendNow = (
  services: Services,
  media: readonly MessageMedium[] = messageMedia.filter(
    (medium) => sendersOf(services.config)[medium] !== undefined,
  ),
): Promise<void> =>
  unlessCutOff([DatabaseUnavailable, Collision], async () => {
    const told = await Promise.all(
      media.map((medium) => drain(medium, services, { most: 2, seconds: 12, waits: false })),
    );
    if (told.includes(true)) await deliverNow(services);
  });

/** Used by the jobs. */
export const sendDue = (medium: MessageMedium, services: Services): Promise<boolean> =>
  drain(medium, services, { most: lanes, seconds: 40, waits: true });

/** Calls for each call to the sender: the facts, the start, the call itself and the outcome. */
const need: Need = { calls: 6, kept: 2 };

/** Calls that claim messages. */
const before = 1;

interface Run {
  /** Parallel calls to the sender. */
  readonly most: number;
  /** Seconds after which no further calls begin. */
  readonly seconds: number;
  /** True to wait when the sender's limit delays a call. */
  readonly waits: boolean;
}

/**
 * Sends the due messages of a medium at its sender's pace, until none are due, the time is over or no calls are left.
 * Messages are claimed under a lease, so a later run takes up an interrupted one.
 * @returns true if webhooks get events about them
 */
async function drain(medium: MessageMedium, services: Services, run: Run): Promise<boolean> {
  const { clock, config, connection, budget } = services;
  const sender = senderFor(config, medium);
  const end = clock.now().getTime() + run.seconds * 1000;
  let told = false;
  for (let more = true; more && clock.now().getTime() < end;) {
    const round = await inRound(budget, { need, before, most: run.most }, async (most) => {
      const token = crypto.randomUUID();
      const pace = { most, rate: sender.rate, together: sender.batch?.most };
      const claim = claimMessages(medium, token, pace, clock.now());
      const rows = await new UnitOfWork(connection, undefined).write([], claim);
      return callsOf(rows).map((call) => () => attempt(call, { medium, token, sender }, services));
    });
    const { done, wasFull } = round ?? { done: [], wasFull: false };
    const broken = done.find(({ status }) => status === 'rejected');
    if (broken) throw (broken as PromiseRejectedResult).reason;
    told ||= done.some((one) => one.status === 'fulfilled' && one.value);
    more = wasFull || (run.waits && done.length > 0);
  }
  return told;
}
