import * as z from 'zod';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { publicJwks } from '../../kernel/auth/session-token.ts';

export const jwks = endpoint({
  id: 'platform.jwks',
  namespace: 'root',
  route: ['GET /.well-known/jwks.json'],
  summary: 'Get the public keys of session tokens',
  description: [
    'For systems that verify user-session tokens themselves: a JWK set of Ed25519 keys. Fetch it again when a token names a `kid` that is not in it.',
    'A token is a JWT signed with `EdDSA`. Besides the signature, check the header `typ`, which is `svc-session+jwt`, not `JWT`; `iss`, the address of this deployment without a path; `aud`, its `api_base` as shown at `GET /`; and `exp`. The user is `sub`, an id as a string. `act.sub` is present while an administrator acts as that user.',
    'Such a check cannot tell that a session was revoked, or that its user was blocked or deleted. This service checks that on every request; anyone else accepts the token until `exp`. Where it matters, call `GET /me` with the token.',
    'Your library needs EdDSA with Ed25519: jose, PyJWT and most others support it, `jsonwebtoken` for Node.js does not.',
  ].join('\n\n'),
  access: open('public keys are public'),
  effect: 'read',
  reply: [
    200,
    z.object({
      keys: z.array(z.record(z.string(), z.string())).meta({
        examples: [[{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', kid: '2026-01', x: 'base64url' }]],
      }),
    }),
  ],
  headers: { 'cache-control': 'public, max-age=300' },
}).handle(async ({ authority }) => publicJwks(authority.sessionKeys));
