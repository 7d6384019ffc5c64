import type { ReadAccess } from '../../kernel/command/store.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { countUsers, listUsers } from '../../queries/user-lists.ts';
import { toUser } from '../../domain/user/rules.ts';
import type { UserQuery } from '../../domain/user/schemas.ts';

const list = preparedList({ list: listUsers, count: countUsers }, [{}]);

export const readUsers = (db: ReadAccess, query: UserQuery, now: Date) =>
  readChanges(db, query, { ...list, show: toUser }, now);
