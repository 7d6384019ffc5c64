import { fileURLToPath } from 'node:url';
import { isExampleAddress } from './deployment.ts';

/** The address in wrangler.toml; undefined while it is the example. */
export async function deployedAddress(): Promise<string | undefined> {
  // Wrangler takes a second to load, and only this function needs it.
  const { unstable_readConfig: readWranglerConfig } = await import('wrangler');
  const { vars } = readWranglerConfig({
    config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
  });
  const address = vars['BASE_URL'];
  return typeof address === 'string' && !isExampleAddress(address)
    ? address.replace(/\/$/, '')
    : undefined;
}
