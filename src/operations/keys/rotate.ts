import { consoleSession, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { rotatedKey, toKey } from '../../domain/key/rules.ts';
import { KeyRotate, KeyWithToken } from '../../domain/key/schemas.ts';
import { newSecret } from '../../domain/key/secret.ts';
import { findKey, rotateKey } from '../../queries/keys.ts';

export const rotateApiKey = endpoint({
  id: 'keys.rotate',
  namespace: 'console',
  route: ['POST /v1/keys/:id/rotate'],
  summary: 'Rotate an API key',
  description:
    'Gives the key a new secret; the old one stays valid for `overlap` seconds. This response is the only one to show the new key. A key that was revoked or has expired is not rotated.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  secretReply: true,
  conditional: false,
  params: IdParams,
  body: KeyRotate,
  reply: [200, KeyWithToken],
  errors: ['rest_not_found', 'svc_key_ended'],
}).handle(async ({ params, body: { overlap }, db, authority, now }) => {
  const { token, kept } = await newSecret(authority.peppers);
  return db.change({
    load: { found: findKey(params.id, now) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      const after = rotatedKey(before, kept.prefix, overlap, now);
      if (isRefusal(after)) return after;
      return {
        write: rotateKey(params.id, kept, overlap, now),
        reply: one({ ...toKey(after, now), token }),
      };
    },
  });
});
