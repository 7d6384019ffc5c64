import { typeOf } from '../../events/send.ts';
import type { readLog } from './queries.ts';
import type { FeedEntry } from './schemas.ts';

type LogRow = Awaited<ReturnType<typeof readLog>>[number];

const toFeedEntry = ({ id, at, status, code, event, data, object_id }: LogRow): FeedEntry => ({
  id,
  type: typeOf(event),
  at: at.slice(0, 19).replace('T', ' '),
  status,
  code,
  data: { event, data, object_id },
});

/**
 * A part of the feed, and where the next one goes on.
 * @param rows what was read of the log, in order; `limit` at most
 * @param last the log's last id: where nothing is left to read, what was filtered out is passed by
 */
export const feedReply = (rows: readonly LogRow[], limit: number, last: number) => ({
  success: true as const,
  data: rows.map(toFeedEntry),
  next_since: rows.length === limit ? (rows.at(-1)?.id ?? last) : last,
});
