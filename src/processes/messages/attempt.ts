import { type Results, type Write, sendIf } from '../../kernel/database/statements.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { changeAsSystem } from '../../kernel/command/system.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { messageEvent } from '../../domain/message/events.ts';
import { reminderEvents } from '../../domain/message/reminders.ts';
import {
  type Failure,
  type Problem,
  failed,
  isParted,
  isReplayed,
  isWornOut,
  partOf,
  parted,
  sent,
  setupPause,
  suppressed,
  toMessage,
} from '../../domain/message/rules.ts';
import { isTransactional } from '../../domain/message/kinds.ts';
import { SendError, type Sender } from '../../providers/messages/sender.ts';
import {
  type ClaimedMessage,
  beginMessages,
  findClaimed,
  findSenderOf,
  noteProblem,
  pauseSender,
  resumeSender,
  saveClaimed,
} from '../../queries/message-claims.ts';
import { loadFacts, subjectOf } from '../../queries/message-facts.ts';
import type { MessageMedium } from '../../schema/lists.ts';
import type { MessageRow } from '../../schema/messages.ts';
import type { ReminderRow } from '../../schema/reminders.ts';
import { type PreparedMessage, prepare } from './preparing.ts';
import { contentToSend } from './handing-over.ts';

/** Messages sent by one call. */
interface Call {
  readonly ids: readonly number[];
  /** The key of a repeated batch. */
  readonly batch: string | null;
  /** Seconds until its turn. */
  readonly wait: number;
}

export const callsOf = (claimed: readonly ClaimedMessage[]): Call[] =>
  [...Map.groupBy(claimed, ({ call }) => call).values()].map((members) => ({
    ids: members.map(({ id }) => id),
    batch: members[0]?.batch ?? null,
    wait: members[0]?.wait ?? 0,
  }));

interface Claim {
  readonly medium: MessageMedium;
  readonly token: string;
  readonly sender: Sender;
}

interface ClaimedRow {
  readonly row: MessageRow;
  readonly reminder: ReminderRow | undefined;
  /** The start of an earlier attempt with an unknown outcome. */
  readonly since: string | null;
}

interface Ready extends ClaimedRow {
  readonly prepared: PreparedMessage;
}

interface SettledRow extends ClaimedRow {
  readonly after: MessageRow;
}

/**
 * Fills in the messages of a call, sends them in turn, and records the outcomes.
 * @returns true if webhooks get events about them
 */
export async function attempt(call: Call, claim: Claim, services: Services): Promise<boolean> {
  const turn = services.clock.now().getTime() + call.wait * 1000;
  const { loaded, problem } = await load(call, claim, services);
  const found = loaded.flatMap((facts) => held(facts));
  const filled = found.map((one) => filledIn(one, claim.sender, services));
  const ready = filled.filter((one) => 'prepared' in one);
  const settled: SettledRow[] = filled.filter((one) => 'after' in one);
  if (ready.length === 0) return write({ settled, beside: [] }, claim, services);
  await services.clock.until(turn);
  const isBatch = call.batch !== null || ready.length > 1;
  const batch = isBatch ? (call.batch ?? crypto.randomUUID()) : null;
  const { going, stopped } = await begin(ready, batch, claim, services);
  const outcome = going.length === 0 ? undefined : await handOver(going, batch, claim, services);
  const tried = outcome ? outcomesOf(going, outcome, { ...claim, problem, batch }, services) : none;
  const all = { settled: [...settled, ...stopped, ...tried.settled], beside: tried.beside };
  return write(all, claim, services);
}

const none: Outcomes = { settled: [], beside: [] };

async function load({ ids }: Call, { medium, token }: Claim, { connection, clock }: Services) {
  const now = clock.now().toISOString();
  const each = await new UnitOfWork(connection, undefined).queryEach(
    ids.map((id, at) => loadClaimed({ id, token, medium, now, is_first: at === 0 })),
  );
  const { settings = [], senders = [] } = each[0] ?? {};
  const problem: Problem = senders[0]?.problem_since ?? null;
  return { loaded: each.map((facts) => ({ ...facts, settings })), problem };
}

const loadClaimed = prepared(
  { id: 'bigint', token: 'text', medium: 'text', now: 'timestamptz', is_first: 'boolean' },
  ({ id, token, medium, now, is_first }) => {
    const { settings, ...facts } = loadFacts(subjectOf(id), now);
    return {
      found: findClaimed(id, token),
      ...facts,
      // All messages of a call have these in common.
      settings: sendIf(is_first, () => settings),
      senders: sendIf(is_first, () => findSenderOf(medium)),
    };
  },
);

type Facts = Awaited<ReturnType<typeof load>>['loaded'][number];

/** Empty once the claim is lost. */
function held(facts: Facts): (ClaimedRow & { readonly facts: Facts })[] {
  const [row] = facts.found;
  return row ? [{ row, reminder: facts.reminder[0], since: row.begun_at, facts }] : [];
}

/** Fills in a message, unless it ends before it is sent. */
function filledIn(
  { facts, ...one }: ClaimedRow & { readonly facts: Facts },
  sender: Sender,
  services: Services,
): Ready | SettledRow {
  const { row, since } = one;
  const now = services.clock.now();
  // Only senders of batches can repeat a batch unchanged.
  const replays = row.batch !== null && since !== null && !sender.batch ? 0 : sender.replays;
  if (isWornOut(row) || !isReplayed(row, replays, now)) {
    return { ...one, after: failed(row, unanswered, { replays, since, problem: null }, now) };
  }
  const prepared = preparedOr(row, facts, services);
  if (!('ends' in prepared)) return { ...one, prepared };
  return { ...one, after: { ...row, ...prepared.ends, updated_at: now.toISOString() } };
}

/** Gives up a message that can't be filled in: otherwise it would come first again and again. */
function preparedOr(row: MessageRow, facts: Facts, services: Services) {
  const { config, authority, clock } = services;
  try {
    return prepare(row, facts, { config, api: authority.audience, now: clock.now() });
  } catch (error) {
    tell({ message_id: row.id, kind: row.kind, error: (error as Error).name });
    return { ends: { status: 'failed', last_error: 'not_filled_in' } as const };
  }
}

const tell = (line: Readonly<Record<string, unknown>>) =>
  tellOperator({ job: 'messages', ...line });

/**
 * Records the start.
 * @returns the messages to send, and the suppressed ones
 */
async function begin(
  ready: readonly Ready[],
  batch: string | null,
  { medium, token, sender }: Claim,
  { connection, clock }: Services,
): Promise<{ going: Ready[]; stopped: SettledRow[] }> {
  const now = clock.now();
  const beginnings = ready.map(({ row, prepared: { recipient, content } }) => ({
    ...{ id: row.id, version: row.version, recipient, content },
    transactional: isTransactional(row.kind),
  }));
  const call = { medium, sender: sender.id, token, batch };
  const begun = await new UnitOfWork(connection, undefined).write(
    [],
    beginMessages(beginnings, call, now),
  );
  const going: Ready[] = [];
  const stopped: SettledRow[] = [];
  for (const one of ready) {
    const found = begun.find(({ id }) => id === one.row.id);
    const row = { ...one.row, ...one.prepared, sender: sender.id, batch };
    const begun_at = row.begun_at ?? now.toISOString();
    if (found?.suppressed) stopped.push({ ...one, after: suppressed(row, now) });
    else if (found) going.push({ ...one, row: { ...row, begun_at, attempts: row.attempts + 1 } });
  }
  return { going, stopped };
}

type Outcome = readonly (string | null)[] | Failure;

/** The attempt was interrupted or never answered. */
const unanswered: Failure = { kind: 'unknown', code: 'no_answer' };

const failureOf = (error: unknown): Failure => (error instanceof SendError ? error : unanswered);

async function handOver(
  going: readonly Ready[],
  batch: string | null,
  { sender }: Claim,
  services: Services,
): Promise<Outcome> {
  const { outbound, clock } = services;
  const messages = await Promise.all(going.map((one) => outgoing(one, services)));
  const sending =
    batch !== null && sender.batch
      ? sender.batch.send(messages, batch, outbound, clock.now())
      : Promise.all(messages.map((message) => sender.send(message, outbound, clock.now())));
  return sending.catch(failureOf);
}

const outgoing = async ({ row, prepared: { recipient, content } }: Ready, services: Services) => ({
  key: row.key,
  message_id: row.id,
  kind: row.kind,
  medium: row.medium,
  recipient,
  content: await contentToSend(row, content, services),
  reminder_id: row.reminder_id,
  order_id: row.order_id,
  user_id: row.user_id,
});

interface Outcomes {
  readonly settled: readonly SettledRow[];
  readonly beside: readonly Write[];
}

function outcomesOf(
  going: readonly Ready[],
  outcome: Outcome,
  { medium, sender, problem, batch }: Claim & { problem: Problem; batch: string | null },
  { clock }: Services,
): Outcomes {
  const now = clock.now();
  if (!('kind' in outcome)) {
    const settled = going.map((one, i) => ({
      ...one,
      after: sent(one.row, outcome[i] ?? null, now),
    }));
    return { settled, beside: [resumeSender(medium)] };
  }
  const isLeft = (one: Ready) => batch !== null && isParted(outcome, one.since);
  const size = partOf(outcome, going.length);
  const parts = Array.from({ length: Math.ceil(going.length / size) }, () => crypto.randomUUID());
  const settled = going.map((one, i) => {
    const trying = { replays: sender.replays, since: one.since, problem };
    const part = parts[Math.floor(i / size)];
    const after =
      part !== undefined && isLeft(one)
        ? parted(one.row, outcome, part, now)
        : failed(one.row, outcome, trying, now);
    return { ...one, after };
  });
  if (outcome.kind !== 'setup' || going.every(isLeft)) return { settled, beside: [] };
  tell({ sender: sender.id, medium, problem: outcome.code });
  return { settled, beside: [troubled(medium, problem, outcome, now)] };
}

/** Records a faulty account, and pauses its medium if the fault was known before. */
function troubled(medium: MessageMedium, problem: Problem, { code }: Failure, now: Date): Write {
  if (problem === null) return noteProblem(medium, code, now);
  const until = new Date(now.getTime() + setupPause * 1000);
  return pauseSender(medium, code, problem, until);
}

/**
 * Writes the new states of messages that are still claimed. A message may have been cancelled, or its recipient erased.
 * @returns true if webhooks get events about them
 */
async function write(
  { settled, beside }: Outcomes,
  claim: Claim,
  services: Services,
): Promise<boolean> {
  if (settled.length === 0) return false;
  const events = settled.flatMap(({ after, reminder }) => [
    ...(after.status === 'failed' ? [messageEvent('message.failed', toMessage(after))] : []),
    ...(reminder ? reminderEvents(reminder, after) : []),
  ]);
  const refusal = await changeAsSystem(services, {
    load: {},
    decide: () => ({
      write: [...settled.flatMap(({ row, after }) => saveClaimed(row, after)), ...beside],
      events,
      reply: null,
    }),
  });
  if (refusal?.refused === 'rest_not_found' && settled.length > 1) {
    const ours = await stillOurs(settled, claim, services);
    // The other messages are due again after their lease.
    if (ours.length < settled.length) return write({ settled: ours, beside }, claim, services);
  }
  if (refusal && refusal.refused !== 'rest_not_found') {
    const [first] = settled;
    tell({ message_id: first?.row.id, kind: first?.row.kind, error: refusal.refused });
  }
  return events.length > 0;
}

async function stillOurs(
  settled: readonly SettledRow[],
  { token }: Claim,
  { connection }: Services,
): Promise<SettledRow[]> {
  const found: Results<Record<string, ReturnType<typeof findClaimed>>> = await new UnitOfWork(
    connection,
    undefined,
  ).query(Object.fromEntries(settled.map(({ row }) => [`_${row.id}`, findClaimed(row.id, token)])));
  return settled.filter(({ row }) => (found[`_${row.id}`]?.length ?? 0) > 0);
}
