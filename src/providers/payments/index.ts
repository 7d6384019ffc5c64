import type { Config } from '../../config.ts';
import type { Gateway } from './gateway.ts';
import { duitku } from './duitku.ts';
import { midtrans } from './midtrans.ts';
import { paypal } from './paypal.ts';
import { stripe } from './stripe.ts';
import { xendit } from './xendit.ts';

/**
 * Makes a provider's gateway; undefined if none of its variables are set.
 * @throws Error if only some are
 */
type Maker = (config: Config) => Gateway | undefined;

const makers: Readonly<Record<string, Maker>> = { stripe, midtrans, duitku, xendit, paypal };

/** Names of all gateways, on or off. */
export const gatewayNames = Object.keys(makers);

const made = new WeakMap<Config, readonly Gateway[]>();

export function gatewaysOf(config: Config): readonly Gateway[] {
  const known = made.get(config);
  if (known) return known;
  const gateways = Object.values(makers)
    .map((make) => make(config))
    .filter((gateway) => gateway !== undefined);
  made.set(config, gateways);
  return gateways;
}
