import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPublishedConfig } from '../../config.ts';
import { release } from '../../kernel/deployment/release.ts';
import { once } from '../../lib/once.ts';
import { buildWorker } from '../../local/worker/build.ts';
import { rebuildAssets } from '../assets.ts';
import { buildFolder, variablesOf } from './configuration.ts';
import type { NamedStore } from './definition.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The sources of a worker, its documentation and the console. */
const sources = ['src', 'packages', 'docs', 'drizzle/meta', 'package.json', 'package-lock.json'];

const hashOfSources = once(async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(checkout, source);
    const entries = source.includes('.')
      ? []
      : await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && !/\/(node_modules|dist)(\/|$)/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of source.includes('.') ? [path] : files.toSorted())
      hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
});

/** The workers built by this process, by their modules. */
const workers = new Map<string, Promise<string>>();

/** Builds a store's worker and documentation, unless their sources are unchanged. */
export async function buildStore(store: NamedStore): Promise<string> {
  const folder = buildFolder(store.name);
  const vars = await variablesOf(store);
  const { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS } = vars;
  const published = { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS };
  const says = `version ${release.version}, schema ${release.schema}`;
  const note = join(folder, 'built');
  const from = JSON.stringify([await hashOfSources(), published]);
  if (existsSync(note) && (await readFile(note, 'utf8')) === from) return `${says}, as it was`;
  await rm(note, { force: true });
  await mkdir(folder, { recursive: true });
  await rebuildAssets(published, join(folder, 'assets'));
  await writeFile(join(folder, 'worker.js'), await workerOf(vars));
  await writeFile(note, from);
  return says;
}

function workerOf(vars: Readonly<Record<string, unknown>>): Promise<string> {
  const { MODULES: modules } = readPublishedConfig(vars);
  const key = modules.toSorted().join(' ');
  const entry = join(checkout, 'src/worker.ts');
  let worker = workers.get(key);
  if (!worker) workers.set(key, (worker = buildWorker(entry, { modules })));
  return worker;
}
