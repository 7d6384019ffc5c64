import type { Config } from '../../config.ts';
import { sendersOf } from '../messages/index.ts';
import { mutationSourcesOf } from '../mutations/index.ts';
import { gatewaysOf } from '../payments/index.ts';

/** @throws Error naming what a provider lacks that is set up in part, or in two ways that disagree */
export function checkProviders(config: Config): void {
  gatewaysOf(config);
  mutationSourcesOf(config);
  sendersOf(config);
}
