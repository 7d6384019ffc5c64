import * as z from 'zod';
import { open } from '../../auth/access.ts';
import { publicJwks } from '../../auth/session-token.ts';
import { endpoint } from '../../http/endpoint.ts';
import { html } from '../../http/envelope.ts';
import { docsPage, docsPolicy } from './docs.ts';
import { ping } from './queries.ts';

/** The service's name and version, as `/` and the OpenAPI document give them. */
export const service = {
  name: 'Sales, Affiliate and Licensing Service',
  version: '0.1.0',
} as const;

export const about = endpoint({
  id: 'platform.about',
  namespace: 'root',
  route: ['GET /'],
  summary: 'Name, version and addresses of this service',
  access: open('tells a newcomer where things are'),
  effect: 'read',
  reply: [
    200,
    z.object({
      name: z.string().meta({ examples: [service.name] }),
      version: z.string().meta({ examples: [service.version] }),
      api_base: z.url(),
      notify_base: z.url(),
      links: z.record(z.string(), z.url()),
    }),
  ],
}).handle(async ({ config: { BASE_URL, REST_ROOT } }) => ({
  ...service,
  api_base: `${BASE_URL}${REST_ROOT}/svc/v1`,
  notify_base: `${BASE_URL}${REST_ROOT}/svc-notify/v1`,
  links: {
    health: `${BASE_URL}/healthz`,
    ready: `${BASE_URL}/readyz`,
    session_keys: `${BASE_URL}/.well-known/jwks.json`,
    documentation: `${BASE_URL}/docs`,
    openapi: `${BASE_URL}/openapi.json`,
  },
}));

const Status = z.object({ status: z.literal('ok') });

export const healthz = endpoint({
  id: 'platform.healthz',
  namespace: 'root',
  route: ['GET /healthz'],
  summary: 'Whether the worker runs',
  description: 'Answers without asking the database.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  reply: [200, Status],
}).handle(async () => ({ status: 'ok' }));

export const readyz = endpoint({
  id: 'platform.readyz',
  namespace: 'root',
  route: ['GET /readyz'],
  summary: 'Whether the service can answer',
  description: 'Asks the database once; 503 when it does not answer.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  reply: [200, Status],
}).handle(async ({ db }) => {
  await db.query({ alive: ping() });
  return { status: 'ok' };
});

export const jwks = endpoint({
  id: 'platform.jwks',
  namespace: 'root',
  route: ['GET /.well-known/jwks.json'],
  summary: 'Public keys of the session tokens',
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

export const docs = endpoint({
  id: 'platform.docs',
  namespace: 'root',
  route: ['GET /docs'],
  summary: 'This documentation, as a page',
  description: 'To read, and to try each operation on this store.',
  access: open('integrators read it before they have a key'),
  effect: 'read',
  reply: [200, html],
  headers: { 'cache-control': 'public, max-age=300', 'content-security-policy': docsPolicy },
}).handle(async () => docsPage(service.name));
