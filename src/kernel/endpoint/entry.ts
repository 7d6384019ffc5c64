import type { Endpoint } from './endpoint.ts';
import { refuseUnknown } from './module.ts';

/** A line of the endpoint table: says of an endpoint what routes requests to it, and loads it for the first of them. */
export interface Entry extends Pick<Endpoint, 'id' | 'route' | 'namespace' | 'access'> {
  /** HEAD is answered where GET is. */
  readonly head?: true;
  /** Names of the path parameters that are ids. */
  readonly ids?: readonly string[];
  /** It is a list in pages, which is a file as well. */
  readonly pages?: true;
  /** The key of its module; undefined for what every deployment has. */
  readonly module?: string;
  readonly load: () => Promise<Endpoint>;
}

/** The part of a table that a deployment serves. @throws Error naming what is no module */
export function entriesOf(
  table: readonly Entry[],
  { MODULES }: { readonly MODULES: readonly string[] },
): Entry[] {
  refuseUnknown(
    MODULES,
    table.map(({ module }) => module),
  );
  return table.filter(({ module }) => module === undefined || MODULES.includes(module));
}
