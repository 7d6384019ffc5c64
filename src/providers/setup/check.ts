import type { Config } from '../../config.ts';
import { sendersOf } from '../messages/index.ts';
import { mutationSourcesOf } from '../mutations/index.ts';
import { gatewaysOf } from '../payments/index.ts';

/** @throws Error naming the missing or contradictory variables of a provider */
export function checkProviders(config: Config): void {
  gatewaysOf(config);
  mutationSourcesOf(config);
  sendersOf(config);
}
