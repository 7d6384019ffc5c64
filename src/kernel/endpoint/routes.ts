import { consoleApi, prefixes } from '../../config.ts';
import { type Endpoint, type Route } from './endpoint.ts';
import { type ExportFormat, exportFormats } from './export-formats.ts';

export interface RouteParts {
  readonly method: string;
  /** Relative to the namespace, parameters as `:name`. */
  readonly path: string;
  /** Query parameters that a request must have for this route. */
  readonly only: Readonly<Record<string, string>>;
}

export function partsOf(route: Route): RouteParts {
  const [method = '', address = ''] = route.split(' ');
  const [path = '', query] = address.split('?');
  return { method, path, only: query ? Object.fromEntries(new URLSearchParams(query)) : {} };
}

/** An endpoint, or its line in the endpoint table, with its routes. */
type Routed = Pick<Endpoint, 'route' | 'namespace' | 'access' | 'accepts'>;

/** A route of an endpoint, with its full path. */
export interface Place<E extends Routed = Endpoint> extends RouteParts {
  readonly endpoint: E;
  /** True for the console's address of an endpoint, which only takes a session's cookie. */
  readonly ofConsole: boolean;
  /** The file format of the address; undefined for JSON. */
  readonly format?: ExportFormat;
}

/** Every route of a table. Routes with conditions (a parameter, an accepted type) come first. */
export const placesOf = <E extends Routed>(endpoints: readonly E[], restRoot: string): Place<E>[] =>
  endpoints
    .flatMap((endpoint) => {
      const { namespace = 'api' } = endpoint;
      return placesUnder(prefixes(restRoot)[namespace], endpoint, namespace === 'console');
    })
    .sort(byCondition);

/** Endpoints for API keys, and some for administrators, at their console addresses. */
export const consolePlacesOf = <E extends Routed>(endpoints: readonly E[]): Place<E>[] =>
  endpoints
    .filter(
      ({ access, namespace = 'api' }) =>
        namespace === 'api' &&
        (access.kind === 'key' || (access.kind === 'admin' && access.console === true)),
    )
    .flatMap((endpoint) => placesUnder(consoleApi, endpoint, true))
    .sort(byCondition);

/** Addresses of lists as files: `/orders.csv`. */
export const exportPlacesOf = <E extends Routed>(
  places: readonly Place<E>[],
  hasPages: (endpoint: E) => boolean,
): Place<E>[] =>
  places
    .filter(({ endpoint, method }) => method === 'GET' && hasPages(endpoint))
    .flatMap((place) =>
      exportFormats.map((format) => ({ ...place, path: `${place.path}.${format}`, format })),
    );

const placesUnder = <E extends Routed>(
  prefix: string,
  endpoint: E,
  ofConsole: boolean,
): Place<E>[] =>
  endpoint.route.map((route) => {
    const { path, ...parts } = partsOf(route);
    return { endpoint, ofConsole, ...parts, path: prefix + path };
  });

const conditionsOf = ({ only, endpoint }: Place<Routed>) =>
  Object.keys(only).length + (endpoint.accepts ? 1 : 0);

const byCondition = (one: Place<Routed>, other: Place<Routed>) =>
  conditionsOf(other) - conditionsOf(one);

export const isFor = ({ only }: RouteParts, valuesOf: (name: string) => readonly string[]) =>
  Object.entries(only).every(([name, value]) => valuesOf(name).join() === value);
