import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { exportTypes } from '../../src/kernel/endpoint/export-formats.ts';

/** Commands of the generators, by the names of the programs that use their code. */
export const generators = {
  'openapi-typescript': ['openapi-typescript', '{document}', '--output', 'generated/store.ts'],
  'hey-api': ['openapi-ts', '--input', '{document}', '--output', 'generated', '--no-log-file'],
  orval: ['orval', '--config', 'orval.config.mjs'],
} as const;

export type GeneratorName = keyof typeof generators;

/** A program that uses the code of a generator. */
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

/** All that is strict. */
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
  // The generated code is checked, the declarations of browsers aren't.
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Makes a client of a served document with a generator, compiles it with the program that uses it, and loads that.
 * @param folder is made for it
 * @throws Error with what the generator or the compiler complained of
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
  // Only its configuration can tell orval the address, and which of the types of a list's reply is meant.
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
