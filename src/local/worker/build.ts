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
    // With this platform an import of `node:` doesn't resolve: the worker needs none.
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    external: [/^cloudflare:/],
    // To look for Node's `process`, as the driver does, has workerd load all that belongs to it.
    transform: { define: { 'globalThis.process': 'undefined', ...commitOfBuild() } },
    plugins: [
      ...plugins,
      ...[endpointTable(entries, modules), newestMigration, unusedTexts, unusedConstraints],
      quickKinds,
    ],
    // A module that is loaded on demand is compiled then: with the brackets of this option V8 compiles all at the start.
    optimization: { pifeForModuleWrappers: false },
    // Reading a property does nothing else, in none of the packages.
    treeshake: { propertyReadSideEffects: false },
    // A busy machine is no fault of the sources.
    checks: { bundlerTimings: false },
    onwarn(warning) {
      throw new Error(warning.message);
    },
  }) as const satisfies Parameters<typeof rolldown>[0];

/** Leaves the newest entry of the journal of migrations, which is all that the worker knows of it. */
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

/** Defines the commit of the checkout for the worker; nothing where git knows none. */
const commitOfBuild = once((): Record<string, string> => {
  const given = process.env['WORKERS_CI_COMMIT_SHA'];
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
  const commit = given ?? stdout?.trim();
  return commit ? { 'globalThis.SALES_API_COMMIT': JSON.stringify(commit) } : {};
});

const output = { format: 'es', codeSplitting: false, minify: true } as const;

interface BuildOptions {
  /** False leaves functions their names, and says which file each is from. */
  readonly minify?: boolean;
  /** The keys of the optional modules that are in it; all of them when absent. */
  readonly modules?: readonly string[];
  /** Plugins that run before all others. */
  readonly plugins?: readonly Plugin[];
}

/** The sources of a build don't change between one and the next of a process. */
const entriesOfProcess = once(readEntries);

/**
 * Bundles the worker into one module: what is deployed, and what runs on one machine.
 * @param entry the path of the worker's own module
 * @returns the module's text
 * @throws Error naming what can't be built; an import of `node:` is that
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
 * Builds the worker into a file, and again after each change of a source. What can't be built is
 * printed.
 * @param onScript gets the text of every bundle that could be built, the first one too
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
