import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Entry } from './endpoint.ts';
import { type Place as PlaceOf, isFor } from './routes.ts';

type Place = PlaceOf<Entry>;

/** A place that a path leads to, with the path's parameters. */
export interface FoundPlace {
  readonly place: Place;
  readonly params: Readonly<Record<string, string>>;
  /** True if requests that accept another type reach another endpoint. */
  readonly varies: boolean;
}

type Query = (name: string) => readonly string[];

/** Finds places by requests. What it needs of a place beyond a line in its index is made for the first path that may lead there. */
export class PlaceFinder {
  readonly places: readonly Place[];
  /** The places with their rank, by the beginnings of their paths. */
  readonly #index: ReadonlyMap<string, readonly (readonly [rank: number, place: Place])[]>;
  readonly #addresses = new Map<Place, RegExp>();

  /** @param places of which the first that fits is found */
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

  /** The methods that an address takes; none where nothing is there. */
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

/** The number of a path's segments, and those that come before its first parameter. */
const beginningOf = (path: string) => `${path.split('/').length} ${path.split('/:', 1).join('')}`;

/** All beginnings that a path can have which leads to a request's. */
function beginnings(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, i) => `${segments.length} ${segments.slice(0, i + 1).join('/')}`);
}

/** A place's path as an expression, with a group for each parameter: an id, or any text. */
function addressOf({ path, endpoint: { ids = [] } }: Place): RegExp {
  const expression = path
    .replaceAll('.', String.raw`\.`)
    .replace(
      /:(\w+)/g,
      (_, name: string) => `(?<${name}>${ids.includes(name) ? '[0-9]{1,15}' : '[^/]+'})`,
    );
  return new RegExp(`^${expression}$`);
}
