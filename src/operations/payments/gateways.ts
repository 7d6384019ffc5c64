import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { collection, one } from '../../kernel/endpoint/envelope.ts';
import { findSettings } from '../../queries/settings.ts';
import { redirectGateways } from '../../domain/payment/gateways/index.ts';
import { gatewaysOf } from '../../domain/payment/rules.ts';
import { Gateway } from '../../domain/payment/schemas.ts';

export const listGateways = endpoint({
  id: 'payments.gateways',
  route: ['GET /payments/gateways'],
  summary: 'List payment gateways',
  access: apiKey('payments:read'),
  effect: 'read',
  reply: [200, collection(Gateway)],
}).handle(async ({ db, config }) => {
  const { settings } = await db.query({ settings: findSettings() });
  return one(settings.flatMap((row) => gatewaysOf(row, redirectGateways(config))));
});
