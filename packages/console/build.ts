import { createHash } from 'node:crypto';
import { cp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(checkout, 'packages/console/src');

/** The sources and options of a build. */
const ingredients = ['packages/console', 'packages/client/src', 'package-lock.json'];

/** The folder of cached builds, by a hash of their sources. */
const kept = join(checkout, 'node_modules/.cache/console');
const mostKept = 8;

/**
 * Puts the console's files into a folder. Vite takes seconds, so it runs only if something has changed since the last
 * build.
 */
async function buildConsole(folder: string): Promise<void> {
  const build = join(kept, await fingerprint());
  if (!(await exists(build))) await make(build);
  await rm(folder, { recursive: true, force: true });
  await cp(build, folder, { recursive: true });
}

/** Makes a build in a folder that exists only once the build is complete. */
async function make(folder: string): Promise<void> {
  const made = `${folder}-${process.pid}`;
  await buildWithVite(made);
  // Another process may have made it meanwhile.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  await forgetOthers(folder);
}

async function buildWithVite(outDir: string): Promise<void> {
  // Vite reads it while loading: it selects React's build for users, not for developers.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  await build({
    root: sources,
    base: '/console/',
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    // The page's policy allows no inline scripts, no inline styles and no `data:` addresses.
    build: {
      outDir,
      emptyOutDir: true,
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        // A slow build on a busy machine is no fault.
        checks: { bundlerTimings: false },
        onwarn(warning) {
          // Packages mark browser-only code for server rendering; this build has none.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(warning.message);
        },
      },
    },
  });
}

/** Keeps the last few builds, for switching between branches. */
async function forgetOthers(newest: string): Promise<void> {
  const builds = await Promise.all(
    (await readdir(kept)).map(async (name) => {
      const path = join(kept, name);
      return { path, at: path === newest ? Infinity : (await stat(path)).mtimeMs };
    }),
  );
  const old = builds.toSorted((one, other) => other.at - one.at).slice(mostKept);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(ingredients.map(filesIn))).flat().toSorted()) {
    hash
      .update(relative(checkout, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(name: string): Promise<string[]> {
  const path = join(checkout, name);
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to put the console into.');
await buildConsole(folder);
