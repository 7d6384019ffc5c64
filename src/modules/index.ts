import type { Config } from '../config.ts';
import { type Module, refuseUnknown } from '../kernel/endpoint/module.ts';
import { eddSl } from './edd-sl/index.ts';
import { mcp } from './mcp/index.ts';
import { shop } from './shop/index.ts';
import { slm } from './slm/index.ts';

export const modules: readonly Module[] = [eddSl, mcp, shop, slm];

/** @throws Error for unknown names */
export function modulesOf({ MODULES }: Pick<Config, 'MODULES'>): readonly Module[] {
  refuseUnknown(
    MODULES,
    modules.map(({ key }) => key),
  );
  return modules.filter(({ key }) => MODULES.includes(key));
}
