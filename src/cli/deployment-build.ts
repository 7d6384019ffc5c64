import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPublishedConfig } from '../config.ts';
import { buildWorker } from '../local/worker/build.ts';
import { buildAssets } from './assets.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the worker and the documentation of a deployment. */
export async function buildDeployment(vars: Readonly<Record<string, unknown>>): Promise<void> {
  await buildAssets(vars, join(checkout, 'dist/assets'));
  const { MODULES: modules } = readPublishedConfig(vars);
  const worker = await buildWorker(join(checkout, 'src/worker.ts'), { modules });
  await writeFile(join(checkout, 'dist/worker.js'), worker);
  console.log(`The worker is built, its documentation for ${String(vars['BASE_URL'])}.`);
}

/** Set for wrangler if the calling command has built already. */
export const isBuilt = 'SALES_API_BUILT';
