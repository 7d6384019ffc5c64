import { type Need, inRound } from '../../kernel/budget.ts';
import { Collision, DatabaseUnavailable, unlessCutOff } from '../../kernel/database/errors.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { changeAsSystem } from '../../kernel/command/system.ts';
import { deliverNow } from '../../kernel/events/delivery.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import { lanes } from '../../kernel/events/outbound.ts';
import type { Services } from '../../kernel/endpoint/services.ts';
import type { Write } from '../../kernel/database/statements.ts';
import { messageEvent } from '../../domain/message/events.ts';
import { reminderEvents } from '../../domain/message/reminders.ts';
import {
  type Failure,
  type Problem,
  failed,
  isReplayed,
  isWornOut,
  setupPause,
  sent,
  suppressed,
  toMessage,
} from '../../domain/message/rules.ts';
import { isTransactional } from '../../domain/message/kinds.ts';
import { senderFor, sendersOf } from '../../providers/messages/index.ts';
import { SendError, type Sender } from '../../providers/messages/sender.ts';
import {
  type Claimed,
  beginMessage,
  claimMessages,
  findClaimed,
  findSenderOf,
  noteProblem,
  pauseSender,
  resumeSender,
  saveClaimed,
} from '../../queries/message-claims.ts';
import { loadFacts, subjectOf } from '../../queries/message-facts.ts';
import { type MessageMedium, messageMedia } from '../../schema/lists.ts';
import type { MessageRow } from '../../schema/messages.ts';
import type { ReminderRow } from '../../schema/reminders.ts';
import { type Prepared, prepare } from './preparing.ts';

/**
 * Sends what is due at once; for the time after an answer, of which the platform gives about 30 s. What
 * a database that is away keeps from going out, the jobs send.
 * @param media by default those that somebody sends
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

/** Sends what is due of a medium; for the jobs. */
export const sendDue = (medium: MessageMedium, services: Services): Promise<boolean> =>
  drain(medium, services, { most: lanes, seconds: 40, waits: true });

/** Calls for a message: its facts, a note that it begins, the sender's and the outcome. */
const need: Need = { calls: 6, kept: 2 };

/** Calls that claim messages. */
const before = 1;

interface Run {
  /** How many messages it takes at once. */
  readonly most: number;
  /** How long it begins with further ones. */
  readonly seconds: number;
  /** Whether it waits for what the sender's pace puts off. */
  readonly waits: boolean;
}

/**
 * Sends the messages of a medium that are due, at its sender's pace, until there are none, the time
 * for beginning is over or no calls are left for another. They are claimed under a lease first: a run that is cut off leaves them to a later
 * one.
 * @returns whether there was anything that webhooks are told of
 */
async function drain(medium: MessageMedium, services: Services, run: Run): Promise<boolean> {
  const { clock, config, connection, budget } = services;
  const sender = senderFor(config, medium);
  const end = clock.now().getTime() + run.seconds * 1000;
  let told = false;
  for (let more = true; more && clock.now().getTime() < end;) {
    const round = await inRound(budget, { need, before, most: run.most }, async (most) => {
      const token = crypto.randomUUID();
      const claim = claimMessages(medium, token, { most, rate: sender.rate }, clock.now());
      const rows = await new UnitOfWork(connection, undefined).write([], claim);
      return rows.map((claimed) => () => attempt(claimed, token, sender, services));
    });
    const { done, wasFull } = round ?? { done: [], wasFull: false };
    const broken = done.find(({ status }) => status === 'rejected');
    if (broken) throw (broken as PromiseRejectedResult).reason;
    told ||= done.some((one) => one.status === 'fulfilled' && one.value);
    more = wasFull || (run.waits && done.length > 0);
  }
  return told;
}

/**
 * Fills a message in, hands it over when its turn comes, and writes back what became of it.
 * @returns whether webhooks are told of that
 */
async function attempt(
  { id, wait }: Claimed,
  token: string,
  sender: Sender,
  services: Services,
): Promise<boolean> {
  const { connection, clock, outbound } = services;
  const turn = Date.now() + wait * 1000;
  const unit = new UnitOfWork(connection, undefined);
  const loaded = await unit.query({
    found: findClaimed(id, token),
    senders: findSenderOf(id),
    ...loadFacts(subjectOf(id), clock.now()),
  });
  const [row] = loaded.found;
  if (!row) return false;
  const problem = loaded.senders[0]?.problem_since ?? null;
  const held = { row, reminder: loaded.reminder[0], since: row.begun_at, problem };
  if (isWornOut(row) || !isReplayed(row, sender.replays, clock.now())) {
    return settle(held, unanswered, sender, services);
  }
  const prepared = preparedOr(row, loaded, services);
  if ('ends' in prepared) {
    const after = { ...row, ...prepared.ends, updated_at: clock.now().toISOString() };
    return write(held, after, [], services);
  }
  await reached(turn);
  const begun = await begin(row, prepared, sender, services);
  if (!begun) return false;
  if (begun.status === 'suppressed') return write(held, begun, [], services);
  const outcome = await sender
    .send(outgoing(begun, prepared), outbound, clock.now())
    .then((provider_id) => ({ provider_id }), failureOf);
  return settle({ ...held, row: begun }, outcome, sender, services);
}

/** A message filled in. One that can't be is given up: it would come first again and again. */
function preparedOr(row: MessageRow, loaded: Parameters<typeof prepare>[1], services: Services) {
  const { config, authority, clock } = services;
  try {
    return prepare(row, loaded, { config, api: authority.audience, now: clock.now() });
  } catch (error) {
    tell({ message_id: row.id, kind: row.kind, error: (error as Error).name });
    return { ends: { status: 'failed', last_error: 'not_filled_in' } as const };
  }
}

const tell = (line: Readonly<Record<string, unknown>>) =>
  tellOperator({ job: 'messages', ...line });

/** Waits for a moment, in milliseconds since 1970. */
const reached = (moment: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - Date.now())));

/** A message that is ours for now, with the reminder that it is of. */
interface Held {
  readonly row: MessageRow;
  readonly reminder: ReminderRow | undefined;
  /** When a try began before this one, whose outcome isn't known. */
  readonly since: string | null;
  readonly problem: Problem;
}

/** What is known of a try that was cut off, or never answered. */
const unanswered: Failure = { kind: 'unknown', code: 'no_answer' };

const failureOf = (error: unknown): Failure => (error instanceof SendError ? error : unanswered);

const outgoing = (row: MessageRow, { recipient, content }: Prepared) => ({
  key: row.key,
  message_id: row.id,
  kind: row.kind,
  medium: row.medium,
  recipient,
  content,
  reminder_id: row.reminder_id,
  order_id: row.order_id,
  user_id: row.user_id,
});

/** Notes that a message is about to be handed over, or is suppressed; undefined where it isn't ours. */
async function begin(
  row: MessageRow,
  { recipient, content }: Prepared,
  sender: Sender,
  { connection, clock }: Services,
): Promise<MessageRow | undefined> {
  const now = clock.now();
  const note = { recipient, content, sender: sender.id };
  const [begun] = await new UnitOfWork(connection, undefined).write(
    [],
    beginMessage(row, note, isTransactional(row.kind), now),
  );
  if (!begun) return undefined;
  if (begun.suppressed) return suppressed({ ...row, ...note }, now);
  const begun_at = row.begun_at ?? now.toISOString();
  return { ...row, ...note, begun_at, attempts: row.attempts + 1 };
}

type Outcome = { readonly provider_id: string | null } | Failure;

/** Writes back what became of a try, and tells whoever listens. */
async function settle(
  held: Held,
  outcome: Outcome,
  { replays }: Sender,
  services: Services,
): Promise<boolean> {
  const now = services.clock.now();
  const { row, since, problem } = held;
  if ('provider_id' in outcome) {
    return write(held, sent(row, outcome.provider_id, now), [resumeSender(row.medium)], services);
  }
  const after = failed(row, outcome, { replays, since, problem }, now);
  if (outcome.kind !== 'setup') return write(held, after, [], services);
  tell({ sender: row.sender, medium: row.medium, problem: outcome.code });
  return write(held, after, [troubled(held, outcome, now)], services);
}

/** Notes that an account isn't in order, and leaves it alone for a while if that was known before. */
function troubled({ row: { medium }, problem }: Held, { code }: Failure, now: Date): Write {
  if (problem === null) return noteProblem(medium, code, now);
  const until = new Date(now.getTime() + setupPause * 1000);
  return pauseSender(medium, code, problem, until);
}

/** Writes a message's new state, while it is still ours. @returns whether webhooks are told of it */
async function write(
  { row, reminder }: Held,
  after: MessageRow,
  beside: readonly Write[],
  services: Services,
): Promise<boolean> {
  const events = [
    ...(after.status === 'failed' ? [messageEvent('message.failed', toMessage(after))] : []),
    ...(reminder ? reminderEvents(reminder, after) : []),
  ];
  const refusal = await changeAsSystem(services, {
    load: {},
    decide: () => ({ write: [...saveClaimed(row, after), ...beside], events, reply: null }),
  });
  // Refused where it isn't ours any more: somebody cancelled it, or erased whom it was for.
  if (refusal && refusal.refused !== 'rest_not_found') {
    tell({ message_id: row.id, kind: row.kind, error: refusal.refused });
  }
  return events.length > 0;
}
