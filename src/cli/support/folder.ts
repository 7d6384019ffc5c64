import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { storeWorkers } from '../../local/worker/leftover.ts';
import { generatePepper } from '../../kernel/auth/secret-token.ts';
import { generateSessionKey } from '../../kernel/auth/session-token.ts';
import { readNote } from './files.ts';

/** The folder for all data of `npm start`, outside git. */
export const localPath = (name = '') =>
  fileURLToPath(new URL(`../../../.local/${name}`, import.meta.url));

const Secrets = z.object({ API_KEY_PEPPERS: z.string(), SESSION_KEYS: z.string() });
export type Secrets = z.output<typeof Secrets>;

/** The source of a store's secrets; `unknown` if a deployment has them. */
const SecretsSource = z.enum(['machine', 'environment', 'unknown']);
export type SecretsSource = z.output<typeof SecretsSource>;

/** The running store, for a person or a script. */
const Demo = z.object({
  base_url: z.string(),
  api_base: z.string(),
  notify_base: z.string(),
  secrets: SecretsSource.default('machine'),
  /** Missing if its secrets are unknown. */
  api_key: z.string().optional(),
  /** Tokens of the demo's people who still exist. */
  tokens: z.object({
    admin: z.string().optional(),
    affiliate: z.string().optional(),
    buyer: z.string().optional(),
  }),
  database_url: z.string(),
});
export type Demo = z.output<typeof Demo>;

/** The secrets of the local store, made on its first start. */
export async function localSecrets(): Promise<Secrets> {
  const known = await readNote(localPath('secrets.json'), Secrets);
  if (known) return known;
  const secrets = {
    API_KEY_PEPPERS: generatePepper(1),
    SESSION_KEYS: JSON.stringify({ keys: [await generateSessionKey()] }),
  };
  await writeJson('secrets.json', secrets);
  return secrets;
}

const usualDemo = 'demo.json';

/** The file about the store at a port: one of its own while another store of this checkout is open. */
export async function demoFile(port: number): Promise<string> {
  const known = await readDemo();
  if (!known || new URL(known.base_url).port === String(port)) return usualDemo;
  const { host } = new URL(known.base_url);
  const isOpen = storeWorkers().some(
    ({ folder, command }) => folder === localPath() && command.includes(`=${host} `),
  );
  return isOpen ? `demo-${port}.json` : usualDemo;
}

export async function readDemo(file = usualDemo): Promise<Demo | undefined> {
  const demo = Demo.safeParse(await readJson(file));
  return demo.success ? demo.data : undefined;
}

export const writeDemo = (file: string, demo: Demo) => writeJson(file, demo);

const Listener = z.object({ forward: z.string(), secret: z.string() });

type Listener = z.output<typeof Listener>;

export async function readListener(): Promise<Listener | undefined> {
  const listener = Listener.safeParse(await readJson('listener.json'));
  return listener.success ? listener.data : undefined;
}

export const writeListener = (listener: Listener) => writeJson('listener.json', listener);

async function readJson(name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(localPath(name), 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** An interruption leaves no part of the file. */
async function writeJson(name: string, value: object): Promise<void> {
  await openFolder(localPath());
  const draft = localPath(`${name}.new`);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, localPath(name));
}

/**
 * Creates the folder if it is missing. Its parent must exist: with `recursive`, Node reports a read-only file system as
 * a missing directory.
 * @throws Error naming the obstacle
 */
export async function openFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const reasons: Readonly<Record<string, string>> = {
      EROFS: 'the file system is read-only. Start from a copy on one that can be written to.',
      EACCES: 'this user may not write there.',
      EPERM: 'this user may not write there.',
      ENOSPC: 'the disk is full.',
    };
    const reason = reasons[code ?? ''] ?? message;
    throw new Error(`The store keeps its data in ${folder}, and ${reason}`, { cause: error });
  }
}
