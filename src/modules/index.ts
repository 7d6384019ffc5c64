import type { Config } from '../config.ts';
import type { Module } from '../kernel/endpoint/module.ts';
import { eddSl } from './edd-sl/index.ts';
import { mcp } from './mcp/index.ts';
import { slm } from './slm/index.ts';
import { wishlist } from './wishlist/index.ts';

/** Every module there is. */
export const modules: readonly Module[] = [eddSl, mcp, slm, wishlist];

/**
 * The modules that a deployment has switched on.
 * @throws Error naming those that don't exist
 */
export function modulesOf({ MODULES }: Pick<Config, 'MODULES'>): readonly Module[] {
  const unknown = MODULES.filter((word) => !modules.some(({ key }) => key === word));
  if (unknown.length > 0)
    throw new Error(`MODULES names what is no module, or was not deployed: ${unknown.join(', ')}.`);
  return modules.filter(({ key }) => MODULES.includes(key));
}
