import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { service } from '../../../src/exports/declarations.ts';
import own from '../package.json' with { type: 'json' };
import { declarations } from './declarations.ts';

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const sources = folderOf('../src');

const { private: _, devDependencies: __, ...described } = own;

/** The published package is one file with its types; it has the version of the service. */
const manifest = {
  ...described,
  version: service.version,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  files: ['index.js', 'index.d.ts'],
};

/**
 * Makes the client's package in a folder, which is emptied first.
 * @returns its code
 */
export async function packageClient(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const code = await bundle(folder);
  await writeFile(join(folder, 'index.d.ts'), await declarations(sources));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await cp(folderOf('../../../docs/client.md'), join(folder, 'README.md'));
  await cp(folderOf('../../../LICENSE'), join(folder, 'LICENSE'));
  return code;
}

/** Bundles the client's code into one file that is readable in a debugger and in stack traces. */
async function bundle(folder: string): Promise<string> {
  const build = await rolldown({ input: join(sources, 'index.ts'), platform: 'neutral' });
  const { output } = await build.write({ dir: folder, format: 'es', comments: false });
  await build.close();
  return output[0].code;
}
