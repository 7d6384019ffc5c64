import { type Client, createClient, createSessionClient } from '../../packages/client/src/index.ts';
import type { Connection, SessionClientOptions } from '../../packages/client/src/options.ts';
import { type Store, baseUrl } from '../harness/store.ts';

/** A `fetch` that calls a store of this process, and records the requests. */
export function through(store: Store) {
  const requests: Request[] = [];
  const ask: typeof fetch = async (address, init) => {
    const request = new Request(address, init);
    requests.push(request);
    return store.fetch(request.clone());
  };
  return { requests, ask };
}

export async function backendOf(
  store: Store,
  options: Partial<Connection> = {},
): Promise<{ client: Client; requests: Request[] }> {
  const { token } = await store.createKey();
  const { ask, requests } = through(store);
  return {
    client: createClient({ url: baseUrl, apiKey: token, fetch: ask, ...options }),
    requests,
  };
}

export async function appOf(
  store: Store,
  user: number,
  options: Partial<SessionClientOptions> = {},
) {
  const { ask, requests } = through(store);
  const token = await store.token(user);
  return { me: createSessionClient({ url: baseUrl, token, fetch: ask, ...options }), requests };
}
