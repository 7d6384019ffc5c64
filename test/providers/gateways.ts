import { afterAll, beforeAll } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Gateway } from '../../src/providers/payments/gateway.ts';
import { gatewaysOf } from '../../src/providers/payments/index.ts';
import { providers } from './index.ts';
import type { TestProvider } from './provider.ts';

/** Variables of a deployment besides a provider's own. */
const deployment = {
  DATABASE_URL: 'postgres://service:secret@db.example.test/store',
  API_KEY_PEPPERS: '',
  SESSION_KEYS: '',
  BASE_URL: 'https://shop.example',
};

/** The gateway of a store, with its provider's server. */
export function useGateway(name: string): {
  readonly gateway: Gateway;
  readonly provider: TestProvider;
} {
  const provider = providers[name]?.();
  if (!provider) throw new Error(`There is no provider ${name}.`);
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    await provider.open(() => new Date());
    [gateway] = gatewaysOf(readConfig({ ...deployment, ...provider.variables }));
  });
  afterAll(() => provider.close());
  return {
    provider,
    get gateway() {
      if (!gateway) throw new Error('The provider opens before the first test.');
      return gateway;
    },
  };
}
