import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { exportTypes } from '../../src/kernel/endpoint/export-formats.ts';

/** Commands of the generators, by the name of the program that uses their code. */
export const generators = {
  'openapi-typescript': ['openapi-typescript', '{document}', '--output', 'generated/store.ts'],
  'hey-api': ['openapi-ts', '--input', '{document}', '--output', 'generated', '--no-log-file'],
  orval: ['orval', '--config', 'orval.config.mjs'],
} as const;

export type GeneratorName = keyof typeof generators;

export interface Program {
  readonly sell: (
    baseUrl: string,
    apiKey: string,
    order: object,
  ) => Promise<Record<string, unknown>>;
  readonly heard: (event: object) => string;
}

const here = import.meta.dirname;
const modules = resolve(here, '../../node_modules');
const run = promisify(execFile);

const compilerOptions = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  // Checks the generated code, not the declarations of browsers.
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Generates a client of a served document, compiles it with its program, and loads that.
 * @param folder is created
 * @throws Error with the complaints of the generator or the compiler
 */
export async function makeProgram(
  name: GeneratorName,
  { document, baseUrl, folder }: { document: string; baseUrl: string; folder: string },
): Promise<Program> {
  const inFolder = (file: string) => join(folder, file);
  const asCalled = async (script: string, ...options: string[]) =>
    run(process.execPath, [script, ...options], { cwd: folder }).catch((error: object) => {
      throw new Error('stdout' in error ? String(error.stdout) : 'It did not run.', {
        cause: error,
      });
    });
  await mkdir(folder);
  await symlink(modules, inFolder('node_modules'));
  await copyFile(join(here, 'programs', `${name}.ts`), inFolder('program.ts'));
  // The runtime of hey-api's clients doesn't compile with this option.
  const exactOptionalPropertyTypes = name !== 'hey-api';
  const strict = { compilerOptions: { ...compilerOptions, exactOptionalPropertyTypes } };
  await writeFile(inFolder('tsconfig.json'), JSON.stringify(strict));
  // Only a configuration gives orval the address, and the media type of a list's reply.
  const override = { contentType: { exclude: Object.values(exportTypes) } };
  const output = {
    target: 'generated/store.ts',
    client: 'fetch',
    mode: 'split',
    baseUrl,
    override,
  };
  const config = JSON.stringify({ store: { input: document, output } });
  await writeFile(inFolder('orval.config.mjs'), `export default ${config}`);

  const [command, ...options] = generators[name];
  const words = options.map((option) => option.replace('{document}', document));
  await asCalled(join(here, 'node_modules/.bin', command), ...words);
  await asCalled(join(modules, 'typescript/bin/tsc'));
  const bundle = await rolldown({ input: inFolder('program.ts'), platform: 'node' });
  await bundle.write({ file: inFolder('program.mjs') });
  return import(pathToFileURL(inFolder('program.mjs')).href);
}
