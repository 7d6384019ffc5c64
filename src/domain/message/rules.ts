import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { SendErrorKind } from '../../providers/messages/sender.ts';
import type { SuppressionReason } from '../../schema/lists.ts';
import type { MessageRow, MessageSenderRow, NewSuppression } from '../../schema/messages.ts';
import { addSeconds } from '../../lib/instant.ts';
import { isSignInKind } from './kinds.ts';
import type { Message } from './schemas.ts';
import { nextVersion } from '../../lib/versions.ts';

/** Seconds from each failed attempt to the next. After the last attempt the message has failed. */
const pauses = [60, 300, 1800, 7200, 21_600];

/** Seconds. */
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

export const suppressed = (before: MessageRow, now: Date): MessageRow => ({
  ...before,
  status: 'suppressed',
  last_error: 'suppressed',
  begun_at: null,
  batch: null,
  lease_token: null,
  updated_at: now.toISOString(),
});

/** Seconds for which a medium is paused while its account is out of order. */
export const setupPause = 300;

/** Since when the sender's account was out of order, as known at the start of an attempt; null if it was in order. */
export type Problem = MessageSenderRow['problem_since'];

interface SendTry {
  readonly replays: number;
  readonly since: string | null;
  readonly problem: Problem;
}

/** Tells if the last allowed attempt has begun and its outcome is unknown. */
export const isWornOut = ({ attempts, begun_at }: MessageRow): boolean =>
  begun_at !== null && attempts > pauses.length;

/**
 * Returns a message after a failed attempt. A message that may have been accepted is repeated only while its sender
 * recognises its key. If the account is known to be out of order, the failure costs no attempt. The first failure costs
 * one: the message itself may be its cause.
 * @param replays seconds after the first attempt in which a repeat is recognised
 * @param since the start of an earlier attempt whose outcome is unknown
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
    // The message goes behind those that were queued meanwhile.
    const due_at = addSeconds(at, setupPause);
    return { ...after, attempts: before.attempts - 1, ...stillBegun(before, since), due_at };
  }
  const pause = pauses[before.attempts - 1];
  const isKnown = kind !== 'unknown' || isReplayed(before, replays, now);
  if (kind === 'permanent' || pause === undefined || !isKnown) {
    return { ...after, status: 'failed', begun_at: null, batch: null };
  }
  // Repeated pauses become longer.
  const least = before.attempts > 1 ? pause : 0;
  const wait = Math.min(Math.max(retryAfter ?? pause, least), longestPause);
  // Keeps the start of an attempt that may have been accepted.
  const begun_at = kind === 'unknown' ? before.begun_at : since;
  return { ...after, due_at: addSeconds(at, wait), ...stillBegun(before, begun_at) };
}

/** The start of an attempt whose outcome is unknown, with its batch. */
const stillBegun = ({ batch }: MessageRow, begun_at: string | null) => ({
  begun_at,
  batch: begun_at === null ? null : batch,
});

/**
 * Tells if a refused batch is sent in parts, because one of its messages may be the reason. An account that is out of
 * order may refuse a batch that was accepted before.
 * @param since the start of an earlier attempt whose outcome is unknown
 */
export const isParted = ({ kind }: Failure, since: string | null): boolean =>
  kind === 'permanent' || (kind === 'setup' && since === null);

/**
 * Halves a refused batch, to find the refused message in few calls. If the account may be at fault, one message is
 * enough to find out.
 */
export const partOf = ({ kind }: Failure, size: number): number =>
  kind === 'permanent' ? Math.ceil(size / 2) : 1;

/**
 * Returns a message of a refused batch: it is sent again at once, and the attempt does not count.
 * @param batch the key of its new batch
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

/** Tells if a sender recognises the repeat of an interrupted attempt. */
export const isReplayed = ({ begun_at }: MessageRow, replays: number, now: Date): boolean =>
  begun_at === null || now.getTime() - Date.parse(begun_at) < replays * 1000;

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
    // An unsubscribe link is personal, so the content isn't kept.
    content: before.content?.unsubscribe_url ? null : before.content,
    ...unsent,
    due_at: at,
    created_at: at,
    updated_at: at,
  };
}

/** A message that is being sent can't be cancelled. */
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
