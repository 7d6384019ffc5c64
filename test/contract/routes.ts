import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { PathId } from '../../src/kernel/schemas/parameters.ts';
import { type Place, placesOf } from '../../src/kernel/endpoint/routes.ts';
import { endpoints } from '../../src/endpoints.ts';
import { shapeOf } from './schemas.ts';

/** A method and path of an endpoint; `path` is complete, with parameters as `:name`. */
export type Route = Place;

export const routesOf = (endpoint: Endpoint): Route[] => placesOf([endpoint], '/api');

/** The first route of an endpoint, which the others repeat under another method or path. */
export function mainRoute(endpoint: Endpoint): Route {
  const route = routesOf(endpoint).find(({ only }) => Object.keys(only).length === 0);
  if (!route) throw new Error('An endpoint has a route.');
  return route;
}

export const routes = placesOf(endpoints, '/api');

export const endpointsFor = (...kinds: Endpoint['access']['kind'][]) =>
  endpoints.filter(({ access }) => kinds.includes(access.kind));

export const fill = ({ path }: Route, params: Readonly<Record<string, string | number>> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The example says nothing of :${name} in ${path}.`);
    return encodeURIComponent(value);
  });

/** Names of the path's parameters: record ids, or texts. */
export function pathParameters(
  { path, endpoint }: Pick<Route, 'path' | 'endpoint'>,
  kind: 'id' | 'text',
): string[] {
  const shape = shapeOf(endpoint.params);
  return [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => (shape[name] === PathId) === (kind === 'id'));
}
