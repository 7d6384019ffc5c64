import { type Config, hasProviders } from '../../config.ts';
import type { Gateway } from './gateway.ts';

/** The gateways of a deployment. Without a configured provider, no provider's code is loaded. */
export const loadGateways = async (config: Config): Promise<readonly Gateway[]> =>
  hasProviders(config) ? (await import('./index.ts')).gatewaysOf(config) : [];
