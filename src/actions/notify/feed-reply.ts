import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import { mayRead } from '../../domain/webhook/rules.ts';
import { typeOf } from '../../kernel/events/send.ts';
import type { readLog } from '../../queries/webhook-log.ts';
import type { FeedEntry } from '../../domain/webhook/schemas.ts';

type LogRow = Awaited<ReturnType<typeof readLog>>[number] & { readonly redacted?: true };

/** Leaves out the record unless the key's scopes cover it. */
export const shownTo = (principal: ScopedPrincipal, row: LogRow): LogRow =>
  mayRead(principal, row.event) ? row : { ...row, data: {}, redacted: true };

const toFeedEntry = ({ id, at, event, status, code, data, object_id, redacted }: LogRow) => ({
  id,
  type: typeOf(event),
  at: at.slice(0, 19).replace('T', ' '),
  status,
  code,
  data: { event, data, object_id },
  ...(redacted && { redacted }),
});

/**
 * @param rows rows of the log in order, at most `limit`
 * @param last the log's last id: if no rows are left, the next part starts after it and skips filtered entries
 */
export const feedReply = (rows: readonly LogRow[], limit: number, last: number) => ({
  success: true as const,
  data: rows.map((row): FeedEntry => toFeedEntry(row)),
  next_since: rows.length === limit ? (rows.at(-1)?.id ?? last) : last,
});
