import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The modules that declare the exports of the package's entry. */
const modules = ['options', 'generated', 'errors', 'feed', 'webhooks', 'client'];

/** Options of `tsc` that emit only the types of this folder. */
const options = [
  ...[
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--strict',
    '--types',
    'node',
  ],
  ...['--target', 'ES2024', '--module', 'ESNext', '--moduleResolution', 'Bundler'],
  ...['--allowImportingTsExtensions', '--exactOptionalPropertyTypes'],
];

/**
 * Joins the client's types into one file that exports only what its entry exports.
 * @param sources the folder of its modules
 */
export async function declarations(sources: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    await tsc([...options, '--outDir', folder, join(sources, 'index.ts')]);
    const read = (name: string) => readFile(join(folder, `${name}.d.ts`), 'utf8');
    const entry = await read('index');
    const texts = await Promise.all(modules.map(read));
    return `${texts.map((text) => ofOneFile(text, entry)).join('\n')}\nexport {};\n`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws Error naming the faults */
const tsc = (args: readonly string[]) =>
  promisify(execFile)('tsc', args).catch((error: Error & { stdout?: string }) => {
    throw new Error(error.stdout || error.message);
  });

/** A module's declarations without imports; declarations that the entry doesn't export become private. */
function ofOneFile(text: string, entry: string): string {
  return text
    .replaceAll(/^import [^;]*;\n|^export \{\};\n/gm, '')
    .replaceAll(/^export (declare )?(\w+) (\w+)/gm, (whole, _, kind: string, name: string) => {
      const isType = kind === 'interface' || kind === 'type';
      const isNamed = new RegExp(`\\b${name}\\b`).test(entry);
      return isNamed || (isType && isOfGenerated(text)) ? whole : `declare ${kind} ${name}`;
    });
}

const isOfGenerated = (text: string) => text.includes('export interface Operations ');
