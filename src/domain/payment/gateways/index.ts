import type { Config } from '../../../config.ts';
import type { SettingsRow } from '../../../schema/platform.ts';
import type { RedirectGateway } from './gateway.ts';
import { stripe } from './stripe.ts';

/** The redirect gateways of a deployment: each is off until its secrets are set. */
export const redirectGateways = (config: Config): RedirectGateway[] => {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = config;
  return STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET
    ? [
        stripe({
          secretKey: STRIPE_SECRET_KEY,
          webhookSecret: STRIPE_WEBHOOK_SECRET,
          apiUrl: STRIPE_API_URL,
        }),
      ]
    : [];
};

/**
 * Whether a gateway can take the store's amounts: its unit of the store's currency has to be known to
 * be the store's own.
 */
export const takesAmountsOf = (
  gateway: RedirectGateway,
  { currency, currency_exponent }: Pick<SettingsRow, 'currency' | 'currency_exponent'>,
): boolean => gateway.exponentOf(currency) === currency_exponent;
