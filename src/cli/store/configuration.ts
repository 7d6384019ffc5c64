import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { limitVariables } from '../deployment.ts';
import type { NamedStore } from './definition.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export const buildFolder = (name: string) => join(checkout, 'dist/stores', name);

export const configFile = (name: string) => join(buildFolder(name), 'wrangler.json');

/** Names of the store's other resources begin with it. */
export const workerName = (name: string) => `sales-api-${name}`;

export const bucketName = (name: string) => `${workerName(name)}-media`;

/** The fields that are read of `wrangler.toml`, the template of all stores. */
const Template = z.looseObject({
  vars: z.record(z.string(), z.unknown()),
  migrations: z.array(z.looseObject({ tag: z.string() })).default([]),
  ratelimits: z.array(
    z.looseObject({
      name: z.string(),
      simple: z.object({ limit: z.int(), period: z.int() }),
    }),
  ),
});

/** Undefined at workers.dev and on this machine. */
function ownDomain(address: string): string | undefined {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !hostname.endsWith('.workers.dev') ? hostname : undefined;
}

export async function variablesOf(store: NamedStore): Promise<Record<string, unknown>> {
  return { ...(await readTemplate()).vars, ...ownVariables(store) };
}

const ownVariables = ({ address, modules = [], vars = {} }: NamedStore) => ({
  BASE_URL: address,
  MODULES: modules.join(' '),
  ...vars,
});

/** The rate limit of a binding, from the store's file. */
const ownLimit = ({ limits = {} }: NamedStore, binding: string): number | undefined =>
  ({ CALLER_RATE_LIMIT: limits.caller, FAILURE_RATE_LIMIT: limits.failure })[binding];

async function readTemplate(): Promise<z.output<typeof Template>> {
  return Template.parse(parse(await readFile(join(checkout, 'wrangler.toml'), 'utf8')));
}

/** The tag of the newest migration of Durable Objects. */
export const newestMigration = async (): Promise<string> =>
  (await readTemplate()).migrations.at(-1)?.tag ?? '';

/**
 * Writes wrangler's configuration for a store, beside its worker and its assets.
 * @param inherited names of the secrets that the worker keeps; by default, wrangler keeps all of them
 */
export async function writeConfiguration(
  store: NamedStore,
  storeId: string,
  inherited?: readonly string[],
): Promise<string> {
  const { build: _built, ...template } = await readTemplate();
  const ratelimits = template.ratelimits.map((limit, i) => ({
    ...limit,
    simple: { ...limit.simple, limit: ownLimit(store, limit.name) ?? limit.simple.limit },
    namespace_id: String(store.namespace + i),
  }));
  const limits = limitVariables({ ratelimits }).map((variable) =>
    variable.split(/:(.*)/).slice(0, 2),
  );
  const domain = ownDomain(store.address);
  const configuration = {
    ...template,
    name: workerName(store.name),
    main: 'worker.js',
    workers_dev: new URL(store.address).hostname.endsWith('.workers.dev'),
    preview_urls: false,
    ...(domain && { routes: [{ pattern: domain, custom_domain: true }] }),
    assets: { ...(template['assets'] as object), directory: 'assets' },
    vars: {
      ...template.vars,
      ...ownVariables(store),
      ...Object.fromEntries(limits),
      STORE_ID: storeId,
    },
    ratelimits,
    ...(inherited && {
      secrets: { required: inherited },
      unsafe: { metadata: { keep_bindings: [] } },
    }),
    ...(store.email && { send_email: [{ name: 'EMAIL' }] }),
    ...(store.pictures && {
      r2_buckets: [{ binding: 'MEDIA', bucket_name: bucketName(store.name) }],
    }),
  };
  await mkdir(buildFolder(store.name), { recursive: true });
  await writeFile(configFile(store.name), JSON.stringify(configuration, null, 2));
  return configFile(store.name);
}
