import { type Config, hasProviders } from '../../config.ts';
import type { Gateway } from './gateway.ts';

/** The gateways of a deployment. Nothing is loaded of any provider where none is set up. */
export const loadGateways = async (config: Config): Promise<readonly Gateway[]> =>
  hasProviders(config) ? (await import('./index.ts')).gatewaysOf(config) : [];
