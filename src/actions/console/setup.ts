import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Gateway } from '../../domain/payment/schemas.ts';
import { Settings } from '../../domain/settings/schemas.ts';
import { gatewayNames } from '../../providers/payments/index.ts';
import { MessageSender } from '../messages/senders.ts';

export const Setup = record(
  z
    .object({
      settings: Settings,
      has_orders: z
        .boolean()
        .describe('True after the first order, which fixes the currency and the time zone.'),
      gateways: z.array(Gateway),
      senders: z.array(MessageSender),
    })
    .meta({ id: 'ConsoleSetup' }),
);

export const GatewayName = z.object({ gateway: z.enum(gatewayNames) });

export const CheckedGateway = record(
  z
    .object({
      problem: z
        .string()
        .nullable()
        .describe(
          "The error code of the provider's answer; null if the provider answered as expected.",
        )
        .meta({ examples: [null] }),
    })
    .meta({ id: 'CheckedGateway' }),
);
