import { eq } from 'drizzle-orm';
import { type Window, countRows, equals, inStatuses, paged } from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/endpoint/pagination.ts';
import type { MessageQuery } from '../domain/message/schemas.ts';
import { messageStatuses } from '../schema/lists.ts';
import { type MessageRow, messages } from '../schema/messages.ts';

export const findMessage = (id: number) => build.select().from(messages).where(eq(messages.id, id));

const filters = ({
  order_id,
  user_id,
  medium,
  status,
  kind,
}: MessageQuery): ConditionsFor<MessageQuery> =>
  equals(messages, { order_id, user_id, medium, status, kind });

export const listMessages = (query: MessageQuery, window: Window) =>
  paged(build.select().from(messages).$dynamic(), messages.id, filters(query), window);

/** How many match; all of them, and those of each status, are counted already. */
export const countMessages = (query: MessageQuery) =>
  countRows(inStatuses('messages', messageStatuses, query.status), messages, filters(query), [
    'status',
  ]);

export const insertMessage = (row: MessageRow) => build.insert(messages).values(row);

export const saveMessage = (before: MessageRow, after: MessageRow) =>
  updateRow(messages, before, after);
