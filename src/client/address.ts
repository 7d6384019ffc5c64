import { jsonOf } from './errors.ts';
import { exchange, textOf } from './exchange.ts';
import type { Call } from './operation.ts';

const end = '/svc/v1';

/**
 * Where the operations of a deployment are.
 * @param url its address, or its `api_base`
 */
export function addressesOf(url: string, ask: typeof fetch, milliseconds: number) {
  const given = url.replace(/\/+$/, '');
  let isGuess = !given.endsWith(end);
  let base = isGuess ? `${given}/api${end}` : given;
  return {
    of: ({ path, operation: { traits } }: Call) =>
      (traits.includes('n') ? base.replace(/\/svc\/v1$/, '/svc-notify/v1') : base) + path,

    /** Asks a deployment that has its operations somewhere else where they are. @returns whether it does */
    async lookUp(): Promise<boolean> {
      if (!isGuess) return false;
      isGuess = false;
      const { body } = await exchange(ask, `${given}/`, {}, { milliseconds, read: textOf }).catch(
        () => ({ body: '' }),
      );
      const { api_base } = jsonOf(body) ?? {};
      if (typeof api_base !== 'string') return false;
      // Its path alone: how it is reached is for who gave the address.
      base = given + api_base.replace(/^\w+:\/\/[^/]+/, '');
      return true;
    },
  };
}
