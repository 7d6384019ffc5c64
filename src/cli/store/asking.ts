import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { prefixes } from '../../config.ts';
import { StoreStatus } from '../../actions/status/schemas.ts';
import { Status } from '../../domain/service/service.ts';
import type { NamedStore } from './definition.ts';
import { variablesOf } from './configuration.ts';

const patience = 20_000;

/** @throws Error that describes the answer */
async function ask(address: string, path: string, key?: string): Promise<unknown> {
  const response = await fetch(address + path, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(patience),
  }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Error(`${address} did not answer: ${reason}`);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const said = z.object({ message: z.string() }).safeParse(body).data?.message;
  throw new Error(`${address}${path} answered ${response.status}${said ? `: ${said}` : ''}`);
}

export const askHealth = async ({ address }: NamedStore) =>
  Status.parse(await ask(address, '/healthz'));

/** Checks a store's database through its worker. */
export const askReady = async ({ address }: NamedStore, key: string) =>
  Status.parse(await ask(address, '/readyz?fresh', key));

export async function askStatus(store: NamedStore, key: string): Promise<StoreStatus> {
  const { REST_ROOT = '/api' } = await variablesOf(store);
  const answer = await ask(store.address, `${prefixes(String(REST_ROOT)).api}/status`, key);
  return z.object({ data: StoreStatus }).parse(answer).data;
}

/** The number of requests to a newly deployed store, and the milliseconds between them. */
const tries = 20;
const apart = 1000;

/** @throws Error if the deployed version doesn't become ready */
export async function waitUntilReady(
  store: NamedStore,
  key: string,
  schema: string,
): Promise<void> {
  for (let n = 1; ; n++) {
    const reason = await askReady(store, key).then(
      (status) => (status.schema === schema ? undefined : `it is still at ${status.schema}`),
      (error: Error) => error.message,
    );
    if (reason === undefined) return;
    if (n === tries) throw new Error(`The store is not ready: ${reason}`);
    await pause(apart);
  }
}
