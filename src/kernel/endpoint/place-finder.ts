import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Entry } from './endpoint.ts';
import { type Place as PlaceOf, isFor } from './routes.ts';

type Place = PlaceOf<Entry>;

/** A place that matches a path, with the path's parameters. */
export interface FoundPlace {
  readonly place: Place;
  readonly params: Readonly<Record<string, string>>;
  /** True if requests that accept another type reach another endpoint. */
  readonly varies: boolean;
}

type Query = (name: string) => readonly string[];

/** Finds places by requests. Beyond a line in the index, a place is prepared for the first path that may match it. */
export class PlaceFinder {
  readonly places: readonly Place[];
  /** The places with their rank, by the first parts of their paths. */
  readonly #index: ReadonlyMap<string, readonly (readonly [rank: number, place: Place])[]>;
  readonly #addresses = new Map<Place, RegExp>();

  /** @param places in order: the first that matches wins */
  constructor(places: readonly Place[]) {
    this.places = places;
    const ranked = places.map((place, rank) => [rank, place] as const);
    this.#index = Map.groupBy(ranked, ([, { path }]) => beginningOf(path));
  }

  /** Returns the place that answers a request. @param accept the `Accept` header */
  find(method: string, path: string, query: Query, accept = ''): FoundPlace | undefined {
    const fitting = this.#at(path).filter(
      ({ place }) => place.method === method && isFor(place, query),
    );
    const found = fitting.find(({ place: { endpoint } }) =>
      accept.includes(endpoint.accepts ?? ''),
    );
    return found && { ...found, varies: fitting.some(({ place }) => place.endpoint.accepts) };
  }

  /** The methods of an address; none if nothing is there. */
  methodsAt(path: string): string[] {
    const methods = this.#at(path).flatMap(({ place: { method, endpoint } }) =>
      endpoint.head ? [method, 'HEAD'] : [method],
    );
    return [...new Set(methods)].sort();
  }

  #at(path: string): Omit<FoundPlace, 'varies'>[] {
    return beginnings(path)
      .flatMap((beginning) => this.#index.get(beginning) ?? [])
      .sort(([one], [other]) => one - other)
      .flatMap(([, place]) => {
        const match = this.#addressOf(place).exec(path);
        return match ? [{ place, params: decoded(match.groups) }] : [];
      });
  }

  #addressOf(place: Place): RegExp {
    let address = this.#addresses.get(place);
    if (!address) this.#addresses.set(place, (address = addressOf(place)));
    return address;
  }
}

const decoded = (params: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, tryDecodeURIComponent(value)]),
  );

/** The number of a path's segments, and the segments before its first parameter. */
const beginningOf = (path: string) => `${path.split('/').length} ${path.split('/:', 1).join('')}`;

/** All index keys of paths that can match a request's path. */
function beginnings(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, i) => `${segments.length} ${segments.slice(0, i + 1).join('/')}`);
}

/** A place's path as a regular expression, with a group for each parameter: an id, or any text. */
function addressOf({ path, endpoint: { ids = [] } }: Place): RegExp {
  const expression = path
    .replaceAll('.', String.raw`\.`)
    .replace(
      /:(\w+)/g,
      (_, name: string) => `(?<${name}>${ids.includes(name) ? '[0-9]{1,15}' : '[^/]+'})`,
    );
  return new RegExp(`^${expression}$`);
}
