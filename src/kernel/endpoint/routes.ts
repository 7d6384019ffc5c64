import type * as z from 'zod';
import { consoleApi, prefixes } from '../../config.ts';
import { type Endpoint, type Route, answersHead } from './endpoint.ts';
import { type ExportFormat, exportFormats, itemOf } from './exports.ts';
import { PathId } from '../schemas/parameters.ts';

/** A route in its parts. */
export interface RouteParts {
  readonly method: string;
  /** Relative to the namespace, parameters as `:name`. */
  readonly path: string;
  /** The query parameter it is for, where it is for requests with that alone. */
  readonly only: Readonly<Record<string, string>>;
}

export function partsOf(route: Route): RouteParts {
  const [method = '', address = ''] = route.split(' ');
  const [path = '', query] = address.split('?');
  return { method, path, only: Object.fromEntries(new URLSearchParams(query)) };
}

/** A route of an endpoint, its path in full. */
export interface Place extends RouteParts {
  readonly endpoint: Endpoint;
  /** Whether it is the console that asks there: by the cookie of a session, and nothing else. */
  readonly ofConsole: boolean;
  /** What the address asks for in place of JSON. */
  readonly format?: ExportFormat;
}

/** Every route of a table. One for requests with a certain parameter comes before all without. */
export const placesOf = (endpoints: readonly Endpoint[], restRoot: string): Place[] =>
  endpoints
    .flatMap((endpoint) => {
      const { namespace = 'api' } = endpoint;
      return placesUnder(prefixes(restRoot)[namespace], endpoint, namespace === 'console');
    })
    .sort(byParameter);

/** What an API key may do elsewhere, somebody in the console may do there: the same endpoints once more. */
export const consolePlacesOf = (endpoints: readonly Endpoint[]): Place[] =>
  endpoints
    .filter(({ access, namespace = 'api' }) => access.kind === 'key' && namespace === 'api')
    .flatMap((endpoint) => placesUnder(consoleApi, endpoint, true))
    .sort(byParameter);

/** The addresses of lists as files: `/orders.csv`. */
export const exportPlacesOf = (places: readonly Place[]): Place[] =>
  places
    .filter(({ endpoint, method }) => method === 'GET' && itemOf(endpoint))
    .flatMap((place) =>
      exportFormats.map((format) => ({ ...place, path: `${place.path}.${format}`, format })),
    );

const placesUnder = (prefix: string, endpoint: Endpoint, ofConsole: boolean): Place[] =>
  endpoint.route.map((route) => {
    const { path, ...parts } = partsOf(route);
    return { endpoint, ofConsole, ...parts, path: prefix + path };
  });

const byParameter = (one: RouteParts, other: RouteParts) =>
  Object.keys(other.only).length - Object.keys(one.only).length;

/** A place's path with each parameter replaced by what it is held to: an id, or any text. */
export function pattern(
  { endpoint, path }: Pick<Place, 'endpoint' | 'path'>,
  as: (name: string, expression: string | undefined) => string,
): string {
  const shape = (endpoint.params as z.ZodObject | undefined)?.shape ?? {};
  return path.replace(/:(\w+)/g, (_, name: string) =>
    as(name, shape[name] === PathId ? '[0-9]{1,15}' : undefined),
  );
}

/** A place with the paths it answers. */
const addressed = (place: Place) => ({
  ...place,
  address: new RegExp(`^${pattern(place, (_, expression = '[^/]+') => expression)}$`),
});

/** The methods that an address takes, of a table; none where nothing is there. */
export function methodFinder(places: readonly Place[]): (path: string) => string[] {
  const known = places.map(addressed);
  return (path) => {
    const found = known.filter(({ address }) => address.test(path));
    const methods = found.flatMap(({ method, endpoint }) =>
      answersHead(endpoint) ? [method, 'HEAD'] : [method],
    );
    return [...new Set(methods)].sort();
  };
}

/** Which endpoint answers a request, of a table. */
export function endpointFinder(
  places: readonly Place[],
): (method: string, url: URL) => Endpoint | undefined {
  const known = places.map(addressed);
  return (method, { pathname, searchParams }) =>
    known.find(
      (place) =>
        place.method === method &&
        place.address.test(pathname) &&
        Object.entries(place.only).every(
          ([name, value]) => searchParams.getAll(name).join() === value,
        ),
    )?.endpoint;
}
