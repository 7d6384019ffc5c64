import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Setup } from '../../actions/console/setup.ts';
import { loadSenders, sendersShown } from '../../actions/messages/senders.ts';
import { offeredGateways } from '../../domain/payment/rules.ts';
import { toSettings } from '../../domain/settings/rules.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { findAnyOrder } from '../../queries/orders.ts';
import { findSettings } from '../../queries/settings.ts';

export const getSetup = endpoint({
  id: 'console.setup.get',
  namespace: 'console',
  route: ['GET /setup'],
  summary: 'Get the set-up of the store',
  description: 'The settings, and what they depend on: orders, payment providers, senders.',
  access: consoleSession('manage_options'),
  effect: 'read',
  reply: [200, Setup],
  errors: ['rest_not_found'],
}).handle(async ({ db, config }) => {
  const { found, anyOrder, ...senders } = await db.query({
    found: findSettings(),
    anyOrder: findAnyOrder(),
    ...loadSenders(),
  });
  const [settings] = found;
  if (!settings) return refuse('rest_not_found');
  return one({
    settings: toSettings(settings),
    has_orders: anyOrder.length > 0,
    gateways: offeredGateways(settings, gatewaysOf(config)),
    senders: sendersShown(senders, config),
  });
});
