import { consoleSession, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { newKey, toKey } from '../../domain/key/rules.ts';
import { KeyCreate, KeyWithToken } from '../../domain/key/schemas.ts';
import { newSecret } from '../../domain/key/secret.ts';
import { findConsoleSession } from '../../queries/console.ts';
import { insertKey, writtenRanges } from '../../queries/keys.ts';

export const createApiKey = endpoint({
  id: 'keys.create',
  namespace: 'console',
  route: ['POST /v1/keys'],
  summary: 'Create an API key',
  description:
    'This response is the only one to show the key; it is therefore not stored for an `Idempotency-Key`. If the response is lost, revoke the key and create another.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  secretReply: true,
  body: KeyCreate,
  reply: [201, KeyWithToken],
  errors: ['rest_invalid_param'],
}).handle(async ({ principal, body, db, authority, now }) => {
  const { token, kept } = await newSecret(authority.peppers);
  return db.change({
    load: {
      drawn: drawId('api_keys'),
      allowed: writtenRanges(body.ip_allow),
      sessions: findConsoleSession({ prefix: principal.prefix }),
    },
    decide: ({ drawn, allowed, sessions: [session] }) => {
      const key = newKey(body, {
        id: nextId(drawn),
        ip_allow: allowed.rows[0]?.ranges ?? null,
        created_by: session?.user ?? null,
        prefix: kept.prefix,
        now,
      });
      if (isRefusal(key)) return key;
      return { write: insertKey(key, kept), reply: one({ ...toKey(key, now), token }) };
    },
  });
});
