import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Entry } from './endpoint.ts';
import { type Place as PlaceOf, isFor } from './routes.ts';

type Place = PlaceOf<Entry>;

export interface FoundPlace {
  readonly place: Place;
  readonly params: Readonly<Record<string, string>>;
  /** True if requests that accept another type reach another endpoint. */
  readonly varies: boolean;
}

type Query = (name: string) => readonly string[];

/** Finds the place of a request. The expression for a path is made when a request may match it. */
export class PlaceFinder {
  readonly places: readonly Place[];
  /** Places with their rank, by the beginnings of their paths. */
  readonly #index: ReadonlyMap<string, readonly (readonly [rank: number, place: Place])[]>;
  readonly #addresses = new Map<Place, RegExp>();

  /** @param places in order of precedence */
  constructor(places: readonly Place[]) {
    this.places = places;
    const ranked = places.map((place, rank) => [rank, place] as const);
    this.#index = Map.groupBy(ranked, ([, { path }]) => beginningOf(path));
  }

  find(method: string, path: string, query: Query, accept = ''): FoundPlace | undefined {
    const fitting = this.#at(path).filter(
      ({ place }) => place.method === method && isFor(place, query),
    );
    const found = fitting.find(({ place: { endpoint } }) =>
      accept.includes(endpoint.accepts ?? ''),
    );
    return found && { ...found, varies: fitting.some(({ place }) => place.endpoint.accepts) };
  }

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

/** A key of the index: the number of a path's segments, and the segments before its first parameter. */
const beginningOf = (path: string) => `${path.split('/').length} ${path.split('/:', 1).join('')}`;

/** All keys that can match a request's path. */
function beginnings(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, i) => `${segments.length} ${segments.slice(0, i + 1).join('/')}`);
}

/** Makes a regular expression with a group for each parameter: an id, or any text. */
function addressOf({ path, endpoint: { ids = [] } }: Place): RegExp {
  const expression = path
    .replaceAll('.', String.raw`\.`)
    .replace(
      /:(\w+)/g,
      (_, name: string) => `(?<${name}>${ids.includes(name) ? '[0-9]{1,15}' : '[^/]+'})`,
    );
  return new RegExp(`^${expression}$`);
}
