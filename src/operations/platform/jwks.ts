import * as z from 'zod';
import { open } from '../../kernel/auth/access.ts';
import { publicJwks } from '../../kernel/auth/session-token.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';

export const jwks = endpoint({
  id: 'platform.jwks',
  namespace: 'root',
  route: ['GET /.well-known/jwks.json'],
  summary: 'Read the public keys of session tokens',
  description: [
    'For systems that check user-session tokens themselves: a JWK set of Ed25519 keys, to be read again when a token names a `kid` that is not in it.',
    'A token is a JWT signed with `EdDSA`. Besides the signature check its header `typ`, which is `svc-session+jwt` and not `JWT`; `iss`, the address of this deployment without a path; `aud`, its `api_base` (both stand at `/`); and `exp`. The user is `sub`, an id as text. `act.sub` is there while an administrator acts as that user.',
    'What such a check cannot see is that a session was revoked, or that its user was blocked or deleted: this service looks at that with every request, anybody else accepts the token until `exp`. Ask `GET /me` with it where that matters.',
    'Libraries need EdDSA with Ed25519: jose, PyJWT and most others have it, `jsonwebtoken` for Node.js does not.',
  ].join('\n\n'),
  access: open('public keys are public'),
  effect: 'read',
  reply: [200, z.object({ keys: z.array(z.record(z.string(), z.string())) })],
  headers: { 'cache-control': 'public, max-age=300' },
}).handle(async ({ authority }) => publicJwks(authority.sessionKeys));
