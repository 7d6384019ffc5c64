import { eq, sql } from 'drizzle-orm';
import { type Window, countRows, equals, inStatuses, paged } from '../kernel/database/filters.ts';
import { type Write, build, lockName, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { mostTests } from '../domain/message/errors.ts';
import { addSeconds } from '../lib/instant.ts';
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

export const countMessages = (query: MessageQuery) =>
  countRows(inStatuses('messages', messageStatuses, query.status), messages, filters(query), [
    'status',
  ]);

export const insertMessage = (row: MessageRow) => build.insert(messages).values(row);

/** Limits test messages within an hour. */
export const holdTests = (now: string): Write<'message_test_limit'>[] => [
  lockName('messages.tests'),
  {
    code: 'message_test_limit',
    statement: raw(sql`select svc_guard(not exists (
      select from (select ${messages.created_at} as at from ${messages} where ${eq(messages.kind, 'test')}
                    order by ${messages.id} desc offset ${mostTests - 1} limit 1) t
       where t.at > ${addSeconds(now, -3600)}), 'message_test_limit')`),
  },
];

export const saveMessage = (before: MessageRow, after: MessageRow) =>
  updateRow(messages, before, after);
