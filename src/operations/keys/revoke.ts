import { consoleSession, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toKey } from '../../domain/key/rules.ts';
import { ApiKey } from '../../domain/key/schemas.ts';
import { findKey, revokeKey } from '../../queries/keys.ts';

export const revokeApiKey = endpoint({
  id: 'keys.revoke',
  namespace: 'console',
  route: ['POST /v1/keys/:id/revoke'],
  summary: 'Revoke an API key',
  description:
    'It is refused on its next request, and for good. Revoking one that is revoked changes nothing.',
  access: consoleSession('manage_options'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, record(ApiKey)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) =>
  db.change({
    load: { found: findKey(params.id, now) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      const shown = toKey(before, now);
      if (before.revoked_at !== null) return { write: [], reply: one(shown) };
      const after = { ...before, revoked_at: now.toISOString() };
      const write = [revokeKey(params.id, now)];
      return { write, before: shown, reply: one(toKey(after, now)) };
    },
  }),
);
