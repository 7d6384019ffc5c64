import { jsonOf } from './errors.ts';
import { exchange, textOf } from './exchange.ts';
import type { Call } from './operation.ts';

const end = '/svc/v1';

export interface Addresses {
  readonly of: (call: Call) => string;
  /** Asks the deployment for its `api_base`, unless that is known. */
  readonly lookUp: () => Promise<void>;
}

/**
 * @param url a deployment's address, or its `api_base`
 * @throws TypeError for an address with a query or a user name
 */
export function addressesOf(url: string, ask: typeof fetch, milliseconds: number): Addresses {
  if (/[?#@]/.test(url)) throw new TypeError('url must be an address without query and user name.');
  const given = url.replace(/\/+$/, '');
  const isGuess = !given.endsWith(end);
  let looking: Promise<void> | undefined;
  let base = isGuess ? `${given}/api${end}` : given;

  async function find(): Promise<void> {
    const { body } = await exchange(ask, `${given}/`, {}, { milliseconds, read: textOf }).catch(
      () => ({ body: '' }),
    );
    // Only the path is taken: the caller's own address decides how the service is reached.
    const path = /^(?:\w+:\/\/[^/]+)?(\/.*)$/.exec(String(jsonOf(body)?.['api_base']))?.[1];
    if (path === undefined) looking = undefined;
    else base = given + path;
  }

  return {
    of: ({ path, operation: { traits } }: Call) =>
      (traits.includes('n') ? base.replace(/\/svc\/v1$/, '/svc-notify/v1') : base) + path,

    lookUp: async (): Promise<void> => {
      if (isGuess) await (looking ??= find());
    },
  };
}
