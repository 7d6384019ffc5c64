import * as z from 'zod';
import { prefixes } from '../../config.ts';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { service } from '../../domain/service/service.ts';

export const about = endpoint({
  id: 'platform.about',
  namespace: 'root',
  route: ['GET /'],
  summary: 'Get the name, version and addresses of this service',
  access: open('it tells newcomers where to find things'),
  effect: 'read',
  reply: [
    200,
    z.object({
      name: z.string().meta({ examples: [service.name] }),
      version: z.string().meta({ examples: [service.version] }),
      api_base: z.url().meta({ examples: ['https://shop.example/api/svc/v1'] }),
      notify_base: z.url().meta({ examples: ['https://shop.example/api/svc-notify/v1'] }),
      links: z
        .record(z.string(), z.url())
        .meta({ examples: [{ documentation: 'https://shop.example/docs' }] }),
    }),
  ],
}).handle(async ({ config: { BASE_URL, REST_ROOT } }) => ({
  ...service,
  api_base: BASE_URL + prefixes(REST_ROOT).api,
  notify_base: BASE_URL + prefixes(REST_ROOT).notify,
  links: {
    health: `${BASE_URL}/healthz`,
    ready: `${BASE_URL}/readyz`,
    session_keys: `${BASE_URL}/.well-known/jwks.json`,
    documentation: `${BASE_URL}/docs`,
    openapi: `${BASE_URL}/openapi.json`,
  },
}));
