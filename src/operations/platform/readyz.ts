import * as z from 'zod';
import { textUpTo } from '../../lib/storable.ts';
import { bearer } from '../../kernel/auth/principals.ts';
import { parseToken } from '../../kernel/auth/secret-token.ts';
import { release } from '../../kernel/deployment/release.ts';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { storedFunctions } from '../../kernel/database/writing.ts';
import { DatabaseOfAnotherStore, DatabaseUnavailable } from '../../kernel/database/errors.ts';
import { findMissingFunctions } from '../../kernel/database/prepared.ts';
import { findStoreId } from '../../queries/store-mark.ts';
import { Status } from '../../domain/service/service.ts';

export const readyz = endpoint({
  id: 'platform.readyz',
  namespace: 'root',
  route: ['GET /readyz'],
  summary: 'Check whether the service can answer',
  description:
    'Answers 503 if the database does not answer, lacks a migration of this version (`npm run migrate`), or is that of another store. The database is queried once an hour at most, so that it may sleep, and at every call after a failure; with `fresh` and an API key, it is queried at once.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  query: z.object({
    fresh: textUpTo(100)
      .optional()
      .describe('Queries the database, however recently it answered. Requires an API key.')
      .meta({ examples: [''] }),
  }),
  reply: [200, Status],
}).handle(async ({ db, operations, config, contacts, request }) => {
  const token = bearer(request.header('authorization')) ?? request.header('x-svc-key') ?? '';
  const isFresh = new URL(request.url).searchParams.has('fresh') && parseToken('svcapi', token);
  if (!isFresh && (await contacts.isRecent())) return { status: 'ok', ...release };
  // An endpoint declares its stored functions when it is loaded.
  await Promise.all(operations.endpoints.map(({ load }) => load()));
  const names = (await storedFunctions()).map(({ name }) => name);
  const { missing, marks } = await db.query({
    missing: findMissingFunctions(names),
    marks: findStoreId(),
  });
  if (missing.rows.length > 0)
    throw new DatabaseUnavailable('the database lacks a migration: run npm run migrate');
  if (config.STORE_ID !== undefined && marks.rows[0]?.store_id !== config.STORE_ID)
    throw new DatabaseOfAnotherStore('the database has no mark of this store');
  await contacts.keep(true);
  return { status: 'ok', ...release };
});
