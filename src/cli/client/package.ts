import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { service } from '../../domain/service/service.ts';
import { declarations } from './declarations.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The client's modules. */
export const sources = join(checkout, 'src/client');

const manifest = {
  name: 'sales-api-client',
  version: service.version,
  description: 'The client of Sales API: typed calls for apps and backends, and webhooks.',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  files: ['index.js', 'index.d.ts'],
};

/**
 * Makes the client's package in a folder, which is emptied before.
 * @returns its code
 */
export async function packageClient(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const code = await bundle(folder);
  await writeFile(join(folder, 'index.d.ts'), await declarations(sources));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await cp(join(checkout, 'docs/client.md'), join(folder, 'README.md'));
  await cp(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
  return code;
}

/** Bundles the client's code into one file, to be read in a debugger and beneath an error. @returns its text */
async function bundle(folder: string): Promise<string> {
  const build = await rolldown({ input: join(sources, 'index.ts'), platform: 'neutral' });
  const { output } = await build.write({ dir: folder, format: 'es', comments: false });
  await build.close();
  return output[0].code;
}
