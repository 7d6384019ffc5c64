import { readFile } from 'node:fs/promises';
import { rolldown, watch } from 'rolldown';
import { quickKinds } from './quick.ts';
import { endpointTable } from './table.ts';
import { unusedConstraints, unusedTexts } from './unused.ts';

const input = (entry: string, modules?: readonly string[]) =>
  ({
    input: entry,
    // With this platform an import of `node:` doesn't resolve: the worker needs none.
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    external: [/^cloudflare:/],
    // To look for Node's `process`, as the driver does, has workerd load all that belongs to it.
    transform: { define: { 'globalThis.process': 'undefined' } },
    plugins: [endpointTable(modules), unusedTexts, unusedConstraints, quickKinds],
    // Reading a property does nothing else, in none of the packages.
    // A module is evaluated when it is first imported, which is seldom: V8 need not compile it before.
    optimization: { pifeForModuleWrappers: false },
    treeshake: { propertyReadSideEffects: false },
    // A busy machine is no fault of the sources.
    checks: { bundlerTimings: false },
    onwarn(warning) {
      throw new Error(warning.message);
    },
  }) as const satisfies Parameters<typeof rolldown>[0];

const output = { format: 'es', codeSplitting: false, minify: true } as const;

/**
 * Bundles the worker into one module: what is deployed, and what runs on one machine.
 * @param entry the path of the worker's own module
 * @param minify false leaves functions their names, and says which file each is from
 * @param modules the keys of the optional modules that are in it; all of them when absent
 * @returns the module's text
 * @throws Error naming what can't be built; an import of `node:` is that
 */
export async function buildWorker(
  entry: string,
  { minify = true, modules }: { minify?: boolean; modules?: readonly string[] } = {},
): Promise<string> {
  const build = await rolldown(input(entry, modules));
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
  const watcher = watch({ ...input(entry), output: { ...output, file } });
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') console.error(event.error.message);
    if (event.code === 'BUNDLE_END') onScript(await readFile(file, 'utf8'));
    if ('result' in event) await event.result.close();
  });
  return () => watcher.close();
}
