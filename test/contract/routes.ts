import type { Endpoint } from '../../src/http/endpoint.ts';
import { prefixes } from '../../src/http/mount.ts';
import { PathId } from '../../src/http/parameters.ts';
import { endpoints } from '../../src/resources/index.ts';
import { shapeOf } from './schemas.ts';

/** One method and path of an endpoint; `path` is complete, its parameters written `:name`. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
}

const prefix = prefixes('/api');

export const routesOf = (endpoint: Endpoint): Route[] =>
  endpoint.route.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { endpoint, method, path: prefix[endpoint.namespace ?? 'api'] + path };
  });

/** The first route of an endpoint, which the others repeat under another method or path. */
export function mainRoute(endpoint: Endpoint): Route {
  const [route] = routesOf(endpoint);
  if (!route) throw new Error('An endpoint has a route.');
  return route;
}

/** Every route of the service. */
export const routes = endpoints.flatMap(routesOf);

/** The endpoints that take this kind of access. */
export const endpointsFor = (...kinds: Endpoint['access']['kind'][]) =>
  endpoints.filter(({ access }) => kinds.includes(access.kind));

/** The path with its parameters filled in. */
export const fill = ({ path }: Route, params: Readonly<Record<string, string | number>> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The example says nothing of :${name} in ${path}.`);
    return encodeURIComponent(value);
  });

/** Names of the path's parameters: record ids, or texts. */
export function pathParameters({ path, endpoint }: Route, kind: 'id' | 'text'): string[] {
  const shape = shapeOf(endpoint.params);
  return [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => (shape[name] === PathId) === (kind === 'id'));
}
