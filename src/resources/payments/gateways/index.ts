import type { Config } from '../../../config.ts';
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

/** The ids of those, as orders name them. */
export const redirectIds = (config: Config): string[] =>
  redirectGateways(config).map(({ id }) => id);
