import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { storedFunctions } from '../../kernel/database/writing.ts';
import { DatabaseUnavailable } from '../../kernel/database/errors.ts';
import { findMissingFunctions } from '../../kernel/database/prepared.ts';
import { findStoreId } from '../../queries/store-mark.ts';
import { Status } from '../../domain/service/service.ts';

export const readyz = endpoint({
  id: 'platform.readyz',
  namespace: 'root',
  route: ['GET /readyz'],
  summary: 'Check whether the service can answer',
  description:
    'Queries the database once; 503 when it does not answer, or lacks the functions that `npm run migrate` creates for this version.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  reply: [200, Status],
}).handle(async ({ db, operations, config: { STORE_ID } }) => {
  // Each declares its functions when it is loaded.
  await Promise.all(operations.endpoints.map(({ load }) => load()));
  const names = (await storedFunctions()).map(({ name }) => name);
  const { missing, marks } = await db.query({
    missing: findMissingFunctions(names),
    marks: findStoreId(),
  });
  if (STORE_ID !== undefined && marks.rows[0]?.store_id !== STORE_ID)
    throw new DatabaseUnavailable('the database is that of another store');
  if (missing.rows.length > 0) throw new DatabaseUnavailable('run npm run migrate');
  return { status: 'ok' };
});
