import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeFile, writeWhole } from './definition.ts';
import type { StoreSecrets } from './secrets.ts';

const script = join(
  dirname(fileURLToPath(import.meta.resolve('wrangler/package.json'))),
  'bin/wrangler.js',
);

/** Environment variables for wrangler. A store's settings are left out: they would override those in files. */
const passed =
  /^(PATH|HOME|USER|LANG|TERM|TMPDIR|NODE_EXTRA_CA_CERTS|APPDATA|SystemRoot|(HTTPS?|NO)_PROXY|(CLOUDFLARE|CF|WRANGLER|XDG)_\w+)$/i;

const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
  CI: '1',
  FORCE_COLOR: '0',
  WRANGLER_SEND_METRICS: 'false',
});

/** The most lines of wrangler's output that an error repeats. */
const mostLines = 12;

/**
 * Runs wrangler of this checkout.
 * @returns its output
 * @throws Error with the end of the output
 */
export async function wrangler(...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...words], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, all] = ['', ''];
  child.stdout.on('data', (data) => {
    out += String(data);
    all += String(data);
  });
  child.stderr.on('data', (data) => (all += String(data)));
  const [code] = await once(child, 'close');
  if (code === 0) return out;
  const lines = all.trim().split('\n').slice(-mostLines);
  throw new Error(`wrangler ${words[0]} ended with ${code}:\n    ${lines.join('\n    ')}`);
}

/** Runs work with a temporary file of secrets, which only its owner can read. */
export async function withSecretsFile<T>(
  name: string,
  secrets: StoreSecrets,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const file = storeFile(name, 'upload.json');
  try {
    await writeWhole(file, JSON.stringify(secrets));
    return await work(file);
  } finally {
    await rm(file, { force: true });
  }
}
