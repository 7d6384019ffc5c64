import type { Entry } from './endpoint.ts';
import { refuseUnknown } from './module.ts';

/**
 * The entries that a deployment serves.
 * @throws Error naming unknown modules
 */
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
