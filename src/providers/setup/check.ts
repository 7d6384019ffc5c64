import type { Config } from '../../config.ts';
import { sendersOf } from '../messages/index.ts';
import { mutationSourcesOf } from '../mutations/index.ts';
import { gatewaysOf } from '../payments/index.ts';

/**
 * @throws Error naming what is missing of a provider that is partly configured, or configured in two contradictory ways
 */
export function checkProviders(config: Config): void {
  gatewaysOf(config);
  mutationSourcesOf(config);
  sendersOf(config);
}
