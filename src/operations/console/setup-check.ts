import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { CheckedGateway, GatewayName } from '../../actions/console/setup.ts';
import { problemAt } from '../../providers/payments/check.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { findSettings } from '../../queries/settings.ts';

export const checkSetup = endpoint({
  id: 'console.setup.check',
  namespace: 'console',
  route: ['POST /setup/check'],
  summary: 'Check a payment provider',
  description:
    'Asks the provider, with the credentials that are set, about a payment that it never opened. Nothing is written, there or here.',
  access: consoleSession('manage_options'),
  effect: 'read',
  body: GatewayName,
  reply: [200, CheckedGateway],
  errors: ['rest_not_found'],
}).handle(async ({ body, db, config, outbound, now }) => {
  const gateway = gatewaysOf(config).find(({ id }) => id === body.gateway);
  // This query also authorises the caller, before any provider is asked.
  const { settings } = await db.query({ settings: findSettings() });
  if (!gateway || !settings[0]) return refuse('rest_not_found');
  const currency = settings[0].currency ?? '';
  return one({ problem: await problemAt(gateway, currency, outbound, now) });
});
