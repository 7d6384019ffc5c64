import {
  consoleSession,
  type Endpoint,
  endpoint,
  IdParams,
  one,
} from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toDay } from '../../domain/key/rules.ts';
import { KeyUse } from '../../domain/key/schemas.ts';
import { findKey, keyDays, keyOperations, keyRefusals } from '../../queries/keys.ts';

export const getApiKeyUse = endpoint({
  id: 'keys.use',
  namespace: 'console',
  route: ['GET /v1/keys/:id/use'],
  summary: 'Get the use of an API key',
  description:
    'A request shows at once if the key was idle for a minute, otherwise within about a minute. The figures are approximate.',
  access: consoleSession('manage_options'),
  effect: 'read',
  params: IdParams,
  reply: [200, KeyUse],
  errors: ['rest_not_found'],
}).handle(async ({ params: { id }, db, now, operations: { endpoints } }) => {
  const { found, days, used, refusals } = await db.query({
    found: findKey(id, now),
    days: keyDays(id, now),
    used: keyOperations(id, now),
    refusals: keyRefusals(id),
  });
  const [key] = found;
  if (!key) return refuse('rest_not_found');
  const asked = scopesAskedFor(
    endpoints,
    used.map(({ operation }) => operation),
  );
  return one({
    key_id: id,
    days: days.rows.map(toDay),
    refusals,
    unused_scopes: key.scopes.filter((scope) => !asked.has(scope)),
  });
});

/** Of alternative scopes, any one counts. */
const scopesAskedFor = (
  endpoints: readonly Pick<Endpoint, 'id' | 'access'>[],
  operations: readonly string[],
) =>
  new Set<string>(
    endpoints
      .filter(({ id }) => operations.includes(id))
      .flatMap(({ access }) => (access.kind === 'key' ? access.scopes : [])),
  );
