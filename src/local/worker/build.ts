import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { build, context } from 'esbuild';
import type { BuildOptions, Metafile } from 'esbuild';

/** What is built, and where to. */
export interface BuildPaths {
  /** The worker's own module. */
  entry: string;
  /** The file the bundle is written to. */
  outfile: string;
}

/** A worker as one module. */
export interface Bundle {
  script: string;
  /** Size of the script in bytes, as it is and gzipped. */
  bytes: number;
  gzipBytes: number;
  /** Which source contributes what. */
  metafile: Metafile;
}

/**
 * Bundles the worker into one module, as it is deployed.
 * @throws esbuild's BuildFailure; an import of `node:` is one
 */
export async function buildWorker(paths: BuildPaths): Promise<Bundle> {
  const { metafile } = await build(esbuildOptions(paths));
  return bundleIn(paths.outfile, metafile);
}

/**
 * Builds the worker, and again after each change of a source. esbuild prints what it can't build.
 * @param onBundle gets every bundle that could be built, the first one too
 * @returns a function that ends the watch
 */
export async function watchWorker(
  paths: BuildPaths,
  onBundle: (bundle: Bundle) => void,
): Promise<() => Promise<void>> {
  const watcher = await context({
    ...esbuildOptions(paths),
    logLevel: 'error',
    plugins: [
      {
        name: 'on-bundle',
        setup(builder) {
          builder.onEnd(async ({ metafile, errors }) => {
            if (metafile && errors.length === 0) onBundle(await bundleIn(paths.outfile, metafile));
          });
        },
      },
    ],
  });
  await watcher.watch();
  return () => watcher.dispose();
}

function esbuildOptions({ entry, outfile }: BuildPaths) {
  return {
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // With this platform an import of `node:` doesn't resolve: the worker needs none.
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    minify: true,
    metafile: true,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}

async function bundleIn(outfile: string, metafile: Metafile): Promise<Bundle> {
  const script = await readFile(outfile, 'utf8');
  const bytes = Buffer.byteLength(script);
  return { script, bytes, gzipBytes: gzipSync(script).byteLength, metafile };
}
