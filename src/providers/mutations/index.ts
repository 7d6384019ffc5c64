import type { Config } from '../../config.ts';
import { moota } from './moota.ts';
import type { MutationSource } from './source.ts';

/**
 * Makes a source; undefined if none of its variables are set.
 * @throws Error if only some are
 */
type Maker = (config: Config) => MutationSource | undefined;

const makers: readonly Maker[] = [moota];

const made = new WeakMap<Config, readonly MutationSource[]>();

export function mutationSourcesOf(config: Config): readonly MutationSource[] {
  const known = made.get(config);
  if (known) return known;
  const sources = makers.map((make) => make(config)).filter((source) => source !== undefined);
  made.set(config, sources);
  return sources;
}
