import type { Store } from '../../harness/store.ts';
import { baseUrl } from '../../harness/store.ts';

export interface Visit {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Round trips to the database, from Server-Timing. */
  readonly trips: number;
}

interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

export async function visit(store: Store, path: string, init: Sent = {}): Promise<Visit> {
  const headers = { accept: 'text/html', 'accept-language': 'en', ...init.headers };
  const response = await store.fetch(
    new Request(new URL(path, baseUrl), { ...init, headers, redirect: 'manual' }),
  );
  const timing = response.headers.get('server-timing');
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    trips: Number(/desc="(\d+)/.exec(timing ?? '')?.[1] ?? 0),
  };
}
