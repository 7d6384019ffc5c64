import { type Config, hasProviders } from '../../config.ts';
import type { Gateway } from './gateway.ts';

/** Loads the code of providers only if one is configured. */
export const loadGateways = async (config: Config): Promise<readonly Gateway[]> =>
  hasProviders(config) ? (await import('./index.ts')).gatewaysOf(config) : [];
