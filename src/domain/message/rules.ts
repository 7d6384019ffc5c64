import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { SendErrorKind } from '../../providers/messages/sender.ts';
import type { SuppressionReason } from '../../schema/lists.ts';
import type { MessageRow, MessageSenderRow, NewSuppression } from '../../schema/messages.ts';
import { addSeconds } from '../../lib/instant.ts';
import { isSignInKind } from './kinds.ts';
import type { Message } from './schemas.ts';
import { nextVersion } from '../../lib/versions.ts';

/** The seconds after each failed try until the next; after the last of them a message has failed. */
const pauses = [60, 300, 1800, 7200, 21_600];

/** Longest that a sender may ask to wait, in seconds. */
const longestPause = 86_400;

export const toMessage = ({ content, ...row }: MessageRow): Message => ({
  ...row,
  subject: content?.subject ?? null,
  text: content?.text ?? null,
  language: content?.language ?? null,
});

export interface Failure {
  readonly kind: SendErrorKind;
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

/** A message that its sender took. */
export const sent = (before: MessageRow, provider_id: string | null, now: Date): MessageRow => ({
  ...before,
  status: 'sent',
  provider_id,
  sent_at: now.toISOString(),
  last_error: null,
  begun_at: null,
  batch: null,
  lease_token: null,
  updated_at: now.toISOString(),
});

/** A message whose address is suppressed. */
export const suppressed = (before: MessageRow, now: Date): MessageRow => ({
  ...before,
  status: 'suppressed',
  last_error: 'suppressed',
  begun_at: null,
  batch: null,
  lease_token: null,
  updated_at: now.toISOString(),
});

/** Seconds for which a medium rests when its account isn't in order. */
export const setupPause = 300;

/** Since when it was known, before a try, that its sender's account isn't in order; null where it was. */
export type Problem = MessageSenderRow['problem_since'];

interface SendTry {
  readonly replays: number;
  readonly since: string | null;
  readonly problem: Problem;
}

/** True after so many tries that one which is cut off is the last. */
export const isWornOut = ({ attempts, begun_at }: MessageRow): boolean =>
  begun_at !== null && attempts > pauses.length;

/**
 * A message after a try that failed. What may have been taken is tried again only while its sender knows
 * it by its key. An account that is known not to be in order isn't the message's fault, and costs it no
 * try; the first to meet that may be refused for what it says itself.
 * @param replays for how many seconds after the first try a repeat is known
 * @param since when an earlier try began whose outcome isn't known
 */
export function failed(
  before: MessageRow,
  { kind, code, retryAfter }: Failure,
  { replays, since, problem }: SendTry,
  now: Date,
): MessageRow {
  const at = now.toISOString();
  const after = { ...before, last_error: code, lease_token: null, updated_at: at };
  if (kind === 'setup' && problem !== null) {
    // Behind what was queued meanwhile.
    const due_at = addSeconds(at, setupPause);
    return { ...after, attempts: before.attempts - 1, ...stillBegun(before, since), due_at };
  }
  const pause = pauses[before.attempts - 1];
  const isKnown = kind !== 'unknown' || isReplayed(before, replays, now);
  if (kind === 'permanent' || pause === undefined || !isKnown) {
    return { ...after, status: 'failed', begun_at: null, batch: null };
  }
  // A sender that asks for a pause again and again is given ever longer ones.
  const least = before.attempts > 1 ? pause : 0;
  const wait = Math.min(Math.max(retryAfter ?? pause, least), longestPause);
  // Of what may have been taken it stays known since when.
  const begun_at = kind === 'unknown' ? before.begun_at : since;
  return { ...after, due_at: addSeconds(at, wait), ...stillBegun(before, begun_at) };
}

/** The begin of a try whose outcome isn't known, with the batch that it belonged to. */
const stillBegun = ({ batch }: MessageRow, begun_at: string | null) => ({
  begun_at,
  batch: begun_at === null ? null : batch,
});

/**
 * Tells a refused batch that is sent in parts: one of its messages may be the reason. An account that isn't in order may
 * refuse a batch that was taken before.
 * @param since when an earlier try of it began whose outcome isn't known
 */
export const isParted = ({ kind }: Failure, since: string | null): boolean =>
  kind === 'permanent' || (kind === 'setup' && since === null);

/**
 * Number of messages that go together of a refused batch: a half, so that few calls find the one that is refused. What is
 * wrong with the account, a message alone has to show.
 */
export const partOf = ({ kind }: Failure, size: number): number =>
  kind === 'permanent' ? Math.ceil(size / 2) : 1;

/**
 * A message of a batch that was refused, of which nothing was taken: it goes at once, which costs it no try.
 * @param batch key of the messages that it goes with
 */
export const parted = (
  before: MessageRow,
  { code }: Failure,
  batch: string,
  now: Date,
): MessageRow => ({
  ...before,
  batch,
  attempts: before.attempts - 1,
  last_error: code,
  begun_at: null,
  lease_token: null,
  due_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/** True if a sender would recognise the repetition of a try that was cut off. */
export const isReplayed = ({ begun_at }: MessageRow, replays: number, now: Date): boolean =>
  begun_at === null || now.getTime() - Date.parse(begun_at) < replays * 1000;

/** A message of which nothing was tried yet. */
const unsent = {
  status: 'queued',
  lease_token: null,
  begun_at: null,
  batch: null,
  gathered_in: null,
  attempts: 0,
  last_error: null,
  sender: null,
  provider_id: null,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  bounced_at: null,
  complained_at: null,
  version: 1,
} as const;

/** A message that is sent once more, as a message of its own. */
export function again(
  before: MessageRow,
  { id, key }: Pick<MessageRow, 'id' | 'key'>,
  now: Date,
): MessageRow {
  const at = now.toISOString();
  return {
    ...before,
    id,
    key,
    recipient: before.recipient_named ? before.recipient : '',
    // A message with an unsubscribe link doesn't keep its content, because the link is personal.
    content: before.content?.unsubscribe_url ? null : before.content,
    ...unsent,
    due_at: at,
    created_at: at,
    updated_at: at,
  };
}

/** A message that isn't to be sent any more; not one that is on its way. */
export function cancelled(
  before: MessageRow,
  now: Date,
): MessageRow | Refusal<'message_not_queued' | 'message_sending' | 'message_of_sign_in'> {
  if (isSignInKind(before.kind)) return refuse('message_of_sign_in');
  if (before.status !== 'queued') return refuse('message_not_queued');
  const { begun_at, lease_token, due_at } = before;
  const isSending = begun_at !== null && lease_token !== null && due_at > now.toISOString();
  if (isSending) return refuse('message_sending');
  return {
    ...before,
    status: 'cancelled',
    lease_token: null,
    ...nextVersion(before, now),
  };
}

/** Keeps the address of a message from being written to. */
export const suppression = (
  { id, medium, recipient }: MessageRow,
  reason: SuppressionReason,
  now: Date,
): NewSuppression => ({
  medium,
  address: recipient,
  reason,
  message_id: id,
  created_at: now.toISOString(),
});

/** A template that is tried out. */
export function newTest(
  given: Pick<MessageRow, 'id' | 'key' | 'medium' | 'order_id' | 'recipient' | 'content'>,
  now: Date,
): MessageRow {
  const at = now.toISOString();
  return {
    ...given,
    kind: 'test',
    user_id: null,
    reminder_id: null,
    record_id: null,
    recipient_named: true,
    ...unsent,
    due_at: at,
    created_at: at,
    updated_at: at,
  };
}
