import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
import { countUsers, listUsers } from '../../queries/users.ts';
import { toUser } from '../../domain/user/rules.ts';
import type { UserQuery } from '../../domain/user/schemas.ts';

/** A page of users, in one trip. */
export async function readUsers(db: ReadAccess, query: UserQuery) {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listUsers(query, window),
    () => countUsers(query),
  );
  return pageOf(query, rows.map(toUser), total);
}
