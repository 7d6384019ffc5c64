import * as z from 'zod';
import { catalogue as events } from '../../events/catalogue.ts';
import { open } from '../../auth/access.ts';
import type { Config } from '../../config.ts';
import { endpoint } from '../../http/endpoint.ts';
import { type Resource, openApiDocument } from '../../http/openapi.ts';
import { service } from './endpoints.ts';
import { vocabulary } from './vocabulary.ts';

const part = z.looseObject({});

const Document = z
  .object({
    openapi: z.string(),
    info: part,
    servers: z.array(part),
    tags: z.array(part),
    paths: part,
    webhooks: part,
    components: part,
  })
  .meta({
    examples: [
      {
        openapi: '3.1.0',
        info: { title: service.name, version: service.version },
        servers: [{ url: 'https://shop.example/api/svc/v1' }],
        tags: [{ name: 'Orders' }],
        paths: { '/orders': { get: { operationId: 'orders.list' } } },
        webhooks: {},
        components: {},
      },
    ],
  });

/** `GET /openapi.json`, which describes the resources of a deployment. It is built at the first request. */
export function describeResources(resources: (config: Config) => readonly Resource[]) {
  const texts = new WeakMap<Config, string>();
  return endpoint({
    id: 'platform.document',
    namespace: 'root',
    route: ['GET /openapi.json'],
    summary: 'This documentation, as an OpenAPI 3.1 document',
    access: open('integrators read it before they have a key'),
    effect: 'read',
    reply: [200, Document],
    headers: { 'cache-control': 'public, max-age=300' },
  }).handle(async ({ config }) => {
    const text =
      texts.get(config) ??
      JSON.stringify(openApiDocument(resources(config), { service, config, events, vocabulary }));
    texts.set(config, text);
    return { status: 200, text };
  });
}
