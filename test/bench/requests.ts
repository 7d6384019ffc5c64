import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { fill, mainRoute } from '../contract/routes.ts';
import type { Scene } from '../contract/scene.ts';
import type { Request } from './load.ts';

/** The request of an endpoint's example, arranged anew, to the service at `origin`. */
export async function exampleRequest(
  scene: Scene,
  endpoint: Endpoint,
  origin: string,
): Promise<Request> {
  const example = await scene.example(endpoint);
  const route = mainRoute(endpoint);
  const body = example.body && JSON.stringify(example.body);
  const search = new URLSearchParams(example.query).toString();
  return {
    method: route.method,
    url: `${origin}${fill(route, example.params)}${search && `?${search}`}`,
    headers: {
      ...(await scene.credentials(endpoint, example)),
      ...example.headers?.(body ?? ''),
    },
    ...(body !== undefined && { body }),
  };
}
