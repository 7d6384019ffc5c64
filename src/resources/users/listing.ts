import type { ReadAccess } from '../../http/endpoint.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { countUsers, listUsers } from './queries.ts';
import { toUser } from './rules.ts';
import type { UserQuery } from './schemas.ts';

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
