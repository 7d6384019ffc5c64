import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { packageClient } from '../../packages/client/build/package.ts';

const run = promisify(execFile);
const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');

/** The strictest options, without Node's types. */
const strict = [
  ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--types', ''],
  ...['--noImplicitOverride', '--noPropertyAccessFromIndexSignature', '--target', 'ES2022'],
  ...['--module', 'NodeNext', '--rootDir', '.'],
];

/** A new project that has only the packed client. */
export class Project {
  #folder = '';

  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'stranger-'));
    const home = join(this.#folder, 'node_modules/sales-api-client');
    await packageClient(join(this.#folder, 'made'));
    const options = ['pack', '--silent', '--pack-destination', this.#folder, './made'];
    const { stdout } = await run('npm', options, { cwd: this.#folder });
    await mkdir(home, { recursive: true });
    await run('tar', [
      '-xzf',
      join(this.#folder, stdout.trim()),
      '-C',
      home,
      '--strip-components=1',
    ]);
    await writeFile(join(this.#folder, 'package.json'), '{ "type": "module" }');
  }

  close = () => rm(this.#folder, { recursive: true, force: true });

  installed = (file: string) =>
    readFile(join(this.#folder, 'node_modules/sales-api-client', file), 'utf8');

  /**
   * Compiles a module.
   * @returns the compiler's errors, one per line
   */
  async compile(name: string, text: string): Promise<string[]> {
    await writeFile(join(this.#folder, `${name}.ts`), text);
    return run(tsc, [...strict, `${name}.ts`], { cwd: this.#folder })
      .then(() => [])
      .catch(({ stdout }: { stdout: string }) => stdout.trim().split('\n'));
  }

  /**
   * Runs a script with variables.
   * @returns its output
   */
  async run(text: string, env: Readonly<Record<string, string>>): Promise<string> {
    const file = join(this.#folder, 'run.js');
    await writeFile(file, text);
    return (await run(process.execPath, [file], { env })).stdout;
  }
}

export function useProject(): Project {
  const project = new Project();
  beforeAll(() => project.open());
  afterAll(() => project.close());
  return project;
}
