import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'smol-toml';
import * as z from 'zod';
import { exponentOf } from '../../lib/currencies.ts';
import { isEmail } from '../../lib/email.ts';
import { Refused } from '../support/command.ts';
import { readIfPresent } from '../support/files.ts';

const address = z
  .url({ protocol: /^https?$/, error: 'is an address like https://api.shop.example.' })
  .transform((text) => new URL(text))
  .refine(({ pathname, search }) => pathname === '/' && search === '', 'has no path.')
  .transform(({ origin }) => origin);

/** The content of `stores/NAME.toml`. */
const Definition = z.strictObject({
  address,
  /** The first of two namespace numbers for rate limits, unique in the account. */
  namespace: z.int().min(1),
  owner: z.string().refine(isEmail, 'is an e-mail address.'),
  currency: z
    .string()
    .refine((code) => exponentOf(code) !== undefined, 'is a code of ISO 4217, like IDR.'),
  store_name: z.string().min(1).optional(),
  timezone: z.string().optional(),
  country: z.string().optional(),
  language: z.string().optional(),
  /** The region of the database at Neon. */
  region: z.string().optional(),
  /** The optional parts of the service. */
  modules: z.array(z.string()).optional(),
  /** Keeps uploaded pictures and files in a bucket of the store's own. */
  pictures: z.boolean().optional(),
  /** Sends e-mails through Cloudflare. */
  email: z.boolean().optional(),
  /** Limits per minute: requests of one credential, and failed authentications of one address. */
  limits: z
    .strictObject({ caller: z.int().min(1), failure: z.int().min(1) })
    .partial()
    .optional(),
  /** A command that prints the secrets as JSON, instead of `stores/NAME.secrets`. */
  secrets_command: z.string().optional(),
  /** Further variables of the worker. */
  vars: z.record(z.string(), z.string()).optional(),
});
export type Definition = z.output<typeof Definition>;

/** A store and its name, which is that of its file. */
export interface NamedStore extends Definition {
  readonly name: string;
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of all stores: STORES_DIR, or `stores` by default. */
export const storesFolder = () => process.env['STORES_DIR'] ?? join(checkout, 'stores');

export const storeFile = (name: string, ending: string) =>
  join(storesFolder(), `${name}.${ending}`);

/** @throws Refused if Cloudflare would refuse the name of the worker */
export function checkName(name: string): void {
  if (!/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/.test(name))
    throw new Refused(
      `A store is named in lower case, by letters, digits and hyphens, not ${name}.`,
    );
}

export async function storeNames(): Promise<string[]> {
  const files = await readdir(storesFolder()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return files
    .filter((file) => file.endsWith('.toml'))
    .map((file) => file.slice(0, -'.toml'.length))
    .toSorted();
}

/** @throws Refused if the store's file is missing or invalid */
export async function readStore(name: string): Promise<NamedStore> {
  checkName(name);
  const file = storeFile(name, 'toml');
  const text = await readIfPresent(file);
  if (text === undefined) throw new Refused(`There is no store ${name}: ${file} is missing.`);
  return { name, ...checked(tomlOf(text, file), file) };
}

function tomlOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Refused(`${file} is not TOML: ${(error as Error).message}`);
  }
}

/** @throws Refused naming each field that is wrong */
export function checked(values: unknown, file: string): Definition {
  const result = Definition.safeParse(values);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new Refused(`${file} is not valid:\n${problems.join('\n')}`);
}

export async function readStores(): Promise<NamedStore[]> {
  return Promise.all((await storeNames()).map(readStore));
}

/** Reads the stores, and the reason why a file is refused, by name. */
export async function readStoresApart(): Promise<readonly [NamedStore[], Map<string, string>]> {
  const [stores, refused] = [[] as NamedStore[], new Map<string, string>()];
  for (const name of await storeNames())
    await readStore(name).then(
      (store) => stores.push(store),
      (error: Error) => refused.set(name, error.message),
    );
  return [stores, refused];
}

/** @throws Refused if another store has the same address or the same rate limits */
export function refuseTwins(store: NamedStore, others: readonly NamedStore[]): void {
  for (const other of others.filter(({ name }) => name !== store.name)) {
    if (other.address === store.address)
      throw new Refused(`${store.name} and ${other.name} have the same address, ${store.address}.`);
    if (Math.abs(other.namespace - store.namespace) < 2)
      throw new Refused(
        `${store.name} and ${other.name} would share rate limits: a store uses two numbers, its namespace and the next, and theirs are ${store.namespace} and ${other.namespace}. Set another \`namespace\` in one of their files.`,
      );
  }
}

export async function writeStore({ name, ...definition }: NamedStore): Promise<void> {
  await writeWhole(storeFile(name, 'toml'), `${stringify(definition)}\n`);
}

/** Writes a file that nobody else can read. An interruption leaves no part of it. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(storesFolder(), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
}
