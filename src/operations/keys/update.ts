import { consoleSession, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isSame } from '../../lib/objects.ts';
import { toKey, updatedKey } from '../../domain/key/rules.ts';
import { ApiKey, KeyUpdate } from '../../domain/key/schemas.ts';
import { findKey, saveKey, writtenRanges } from '../../queries/keys.ts';

export const updateApiKey = endpoint({
  id: 'keys.update',
  namespace: 'console',
  route: ['PATCH /v1/keys/:id'],
  summary: 'Update an API key',
  description:
    'Takes effect on the next request of the key. Every change requires a recent sign-in, even one that removes rights. In an emergency, revoke the key: this requires no recent sign-in.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  conditional: false,
  params: IdParams,
  body: KeyUpdate,
  reply: [200, record(ApiKey)],
  errors: ['rest_not_found', 'rest_invalid_param', 'svc_key_ended'],
}).handle(async ({ params, body, db, now }) =>
  db.change({
    load: { found: findKey(params.id, now), allowed: writtenRanges(body.ip_allow) },
    decide: ({ found: [before], allowed }) => {
      if (!before) return refuse('rest_not_found');
      const after = updatedKey(before, body, allowed.rows[0]?.ranges ?? null, now);
      if (isRefusal(after)) return after;
      return {
        write: isSame(before, after) ? [] : [saveKey(before, after)],
        before: toKey(before, now),
        reply: one(toKey(after, now)),
      };
    },
  }),
);
