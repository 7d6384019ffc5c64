import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { findSettings } from '../../queries/settings.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { offeredGateways } from '../../domain/payment/rules.ts';
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
  return one(settings.flatMap((row) => offeredGateways(row, gatewaysOf(config))));
});
