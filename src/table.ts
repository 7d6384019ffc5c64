import { endpoints } from './endpoints.ts';
import { type Entry, entryOf } from './kernel/endpoint/entry.ts';
import { modules } from './modules/index.ts';

const moduleKeys = new Map(
  modules.flatMap(({ key, endpoints }) => endpoints.map((endpoint) => [endpoint, key] as const)),
);

/**
 * The endpoint table, by which requests are routed. In the worker another one takes its place, made from it
 * (`src/local/worker/table.ts`): it loads each endpoint from its file when it is first asked for.
 */
export const table: readonly Entry[] = endpoints.map((endpoint) =>
  entryOf(endpoint, moduleKeys.get(endpoint)),
);
