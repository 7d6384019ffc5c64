import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown, watch } from 'rolldown';
import { once } from '../../lib/once.ts';
import { quickKinds } from './quick.ts';
import type { FiledEntry } from './entries.ts';
import { endpointTable, readEntries } from './table.ts';
import { unusedConstraints, unusedTexts } from './unused.ts';

const input = (
  entry: string,
  entries: () => Promise<FiledEntry[]>,
  { modules, plugins = [] }: Pick<BuildOptions, 'modules' | 'plugins'> = {},
) =>
  ({
    input: entry,
    // With this platform an import of `node:` doesn't resolve, and the worker needs none.
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    external: [/^cloudflare:/],
    // Looking for Node's `process`, as the driver does, makes workerd load everything that belongs to it.
    transform: { define: { 'globalThis.process': 'undefined', ...commitOfBuild() } },
    plugins: [
      ...plugins,
      ...[endpointTable(entries, modules), newestMigration, unusedTexts, unusedConstraints],
      quickKinds,
    ],
    // A module that is loaded on demand is compiled on demand: with the brackets of this option V8 compiles all of them
    // at the start.
    optimization: { pifeForModuleWrappers: false },
    // Reading a property has no side effects in any of the packages.
    treeshake: { propertyReadSideEffects: false },
    // Warnings about slow plugins say nothing on a busy machine.
    checks: { bundlerTimings: false },
    onwarn(warning) {
      throw new Error(warning.message);
    },
  }) as const satisfies Parameters<typeof rolldown>[0];

/** Keeps only the newest entry of the journal of migrations, which is all that the worker reads. */
const newestMigration: Plugin = {
  name: 'newest-migration',
  transform: {
    filter: { id: /_journal\.json$/ },
    handler: (text) => {
      const { entries } = JSON.parse(text) as { entries: { tag: string }[] };
      return JSON.stringify({ entries: entries.slice(-1).map(({ tag }) => ({ tag })) });
    },
  },
};

/** Defines the commit of the checkout for the worker; nothing if git knows none. */
const commitOfBuild = once((): Record<string, string> => {
  const given = process.env['WORKERS_CI_COMMIT_SHA'];
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
  const commit = given ?? stdout?.trim();
  return commit ? { 'globalThis.SALES_API_COMMIT': JSON.stringify(commit) } : {};
});

const output = { format: 'es', codeSplitting: false, minify: true } as const;

interface BuildOptions {
  /** False keeps the names of functions, and names the file of each. */
  readonly minify?: boolean;
  /** The keys of the included optional modules; all when absent. */
  readonly modules?: readonly string[];
  /** Plugins that run first. */
  readonly plugins?: readonly Plugin[];
}

/** The sources don't change between two builds of one process. */
const entriesOfProcess = once(readEntries);

/**
 * Bundles the worker into one module, for the deployment and for one machine.
 * @param entry the path of the worker's main module
 * @returns the module's text
 * @throws Error naming what can't be built, such as an import of `node:`
 */
export async function buildWorker(
  entry: string,
  { minify = true, ...options }: BuildOptions = {},
): Promise<string> {
  const build = await rolldown(input(entry, entriesOfProcess, options));
  try {
    const { output: chunks } = await build.generate({ ...output, minify });
    return chunks[0].code;
  } finally {
    await build.close();
  }
}

/**
 * Builds the worker into a file, and again after each change of a source. Errors are printed.
 * @param onScript gets the text of every successful build, the first one too
 * @returns a function that ends the watch
 */
export function watchWorker(
  entry: string,
  file: string,
  onScript: (script: string) => void,
): () => Promise<void> {
  const watcher = watch({ ...input(entry, readEntries), output: { ...output, file } });
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') console.error(event.error.message);
    if (event.code === 'BUNDLE_END') onScript(await readFile(file, 'utf8'));
    if ('result' in event) await event.result.close();
  });
  return () => watcher.close();
}
