import type { Instant } from '../../lib/instant.ts';
import { ifChanged } from '../../lib/objects.ts';
import type { Receipt } from '../../providers/messages/sender.ts';
import type { MessageRow, NewSuppression } from '../../schema/messages.ts';
import { sent, suppression } from './rules.ts';

/** The order of statuses: a receipt never moves an accepted message back. */
const progress = ['sent', 'delivered', 'read', 'failed'];

/** Applies receipts to a message; returns the same object if they report nothing new. */
export function receiptsOf(
  before: MessageRow,
  receipts: readonly Receipt[],
  now: Date,
): {
  readonly after: MessageRow;
  readonly suppressions: readonly NewSuppression[];
  readonly event: 'message.bounced' | 'message.failed' | undefined;
} {
  const after = receipts
    .filter(({ provider_id, key }) => provider_id === before.provider_id || key === before.key)
    .reduce((row, receipt) => received(row, receipt, now), before);
  const isFailed = before.status !== 'failed' && after.status === 'failed';
  // A repeated receipt doesn't count: somebody may have lifted the suppression since.
  const isBounced = before.bounced_at === null && after.bounced_at !== null;
  const isSpam = before.complained_at === null && after.complained_at !== null;
  const reasons = [isBounced && 'bounced', isSpam && 'complained'] as const;
  return {
    after: after === before ? before : { ...after, version: before.version + 1 },
    // A recipient who was erased meanwhile has no address.
    suppressions: reasons.flatMap((reason) =>
      reason && before.recipient !== '' ? [suppression(before, reason, now)] : [],
    ),
    event: isBounced ? 'message.bounced' : isFailed ? 'message.failed' : undefined,
  };
}

/** Tells if the sender never confirmed that it accepted the message. A receipt proves that it did. */
const isUnanswered = ({ status, provider_id }: MessageRow) =>
  status === 'queued' || (status === 'failed' && provider_id === null);

function received(row: MessageRow, receipt: Receipt, now: Date): MessageRow {
  const at = now.toISOString();
  const before = isUnanswered(row) ? sent(row, receipt.provider_id, now) : row;
  return ifChanged(before, { ...before, ...newsOf(before, receipt, at), updated_at: at });
}

function newsOf(before: MessageRow, { state, reason }: Receipt, at: Instant): Partial<MessageRow> {
  const last_error = reason ?? state;
  if (state === 'complained') return { complained_at: before.complained_at ?? at };
  if (state === 'bounced') {
    return before.bounced_at ? {} : { status: 'failed', last_error, bounced_at: at };
  }
  if (progress.indexOf(state) <= progress.indexOf(before.status)) return {};
  if (state === 'failed') return { status: state, last_error };
  const delivered_at = before.delivered_at ?? at;
  return { status: state, delivered_at, ...(state === 'read' && { read_at: at }) };
}
