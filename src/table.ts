import type * as z from 'zod';
import { endpoints, pages } from './endpoints.ts';
import { type Endpoint, answersHead, type Entry } from './kernel/endpoint/endpoint.ts';
import { itemOf } from './kernel/endpoint/exports.ts';
import { PathId } from './kernel/schemas/parameters.ts';
import { modules } from './modules/index.ts';

const moduleKeys = new Map(
  modules.flatMap(({ key, endpoints, pages = [] }) =>
    [...endpoints, ...pages].map((endpoint) => [endpoint, key] as const),
  ),
);

/**
 * The endpoint table, by which requests are routed. The worker has a table made from this one
 * (`src/local/worker/table.ts`), which loads each endpoint with its first request.
 */
export const table: readonly Entry[] = [...endpoints, ...pages].map((endpoint) =>
  entryOf(endpoint, moduleKeys.get(endpoint)),
);

function entryOf(endpoint: Endpoint, module: string | undefined): Entry {
  const { id, route, namespace, access, accepts, params } = endpoint;
  const shape = (params as z.ZodObject | undefined)?.shape ?? {};
  const ids = Object.keys(shape).filter((name) => shape[name] === PathId);
  return {
    ...{ id, route, access },
    ...(namespace && { namespace }),
    ...(accepts && { accepts }),
    ...(module !== undefined && { module }),
    ...(answersHead(endpoint) && { head: true }),
    ...(ids.length > 0 && { ids }),
    ...(itemOf(endpoint) && { pages: true }),
    load: async () => endpoint,
  };
}
