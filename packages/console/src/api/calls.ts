import { useSyncExternalStore } from 'react';
import type { Call } from '../../../client/src/operation.ts';
import { quoted } from '../lib/shell.ts';

/** A call of a screen, as an API key could make it. */
export interface NotedCall {
  readonly operation: string;
  readonly method: string;
  /** The path of the call after `api_base`, with its query. */
  readonly path: string;
  readonly body: string | undefined;
}

let calls: readonly NotedCall[] = [];
const listeners = new Set<() => void>();

function keep(next: readonly NotedCall[]): void {
  calls = next;
  for (const listener of listeners) listener();
}

/** Records a call; a repeat replaces the earlier one. The console's own operations are left out: no key can call them. */
export function noteCall({ operation: { id, method, traits }, path, body }: Call): void {
  if (traits.includes('c')) return;
  const noted = {
    operation: id,
    method,
    path,
    body: typeof body === 'string' ? body : undefined,
  };
  const others = calls.filter((each) => each.method !== method || each.path !== path);
  keep([...others, noted].slice(-20));
}

export const forgetCalls = (): void => keep([]);

/** The calls of the current screen, the latest last. */
export const useCalls = (): readonly NotedCall[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => calls,
  );

/** A call for the command line, with a placeholder for the key. @param apiBase the deployment's `api_base` */
export function curlOf(
  { method, path, body }: Omit<NotedCall, 'operation'>,
  apiBase: string,
): string {
  const parts = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiBase + path)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(method === 'GET' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
