import * as z from 'zod';
import { record } from '../../kernel/endpoint/envelope.ts';
import { Id, Instant, shortText } from '../../lib/schemas.ts';
import { actorTypes } from '../../kernel/auth/actor.ts';
import { providerRefundStates } from '../../schema/payments.ts';
import { Order } from '../order/schemas.ts';

/** Money given back on an order. */
export const Refund = z
  .object({
    id: Id,
    order_id: Id,
    amount: z
      .int()
      .describe('In the smallest unit of `currency`.')
      .meta({ examples: [50_000] }),
    currency: z.string(),
    reason: z
      .string()
      .nullable()
      .meta({ examples: ['One lesson was missing.'] }),
    actor_type: z.enum(actorTypes),
    actor_id: Id.nullable()
      .describe('Id of the API key or user; null for the system.')
      .meta({ examples: [1] }),
    state: z
      .enum(['manual', ...providerRefundStates])
      .describe(
        "Where the money is: `manual` = the store pays it back itself · `requested` = the payment provider is about to be told · `sent` = the provider is paying it back · `succeeded` · `failed` = the provider could not; it has to be paid back in another way. Either way the refund counts in the order's totals.",
      ),
    created_at: Instant,
    reopened_at: Instant.nullable().describe(
      'When the order was reopened after this refund, to be paid again. From then on the refund no longer counts in `refunded_total`.',
    ),
  })
  .meta({ id: 'Refund' });

export const RefundCreate = z
  .strictObject({
    amount: z
      .int()
      .min(1)
      .optional()
      .describe("In the smallest unit of the order's currency; by default all that is left."),
    reason: shortText.optional(),
  })
  .meta({ id: 'RefundCreate', examples: [{ amount: 50_000, reason: 'One lesson was missing.' }] });

export const RefundReply = record(
  z
    .object({
      refund: Refund,
      rest: Refund.nullable()
        .describe(
          'The part that the payment provider can not give back, as a `manual` refund of its own; null if there is none.',
        )
        .meta({ examples: [null] }),
      order: Order,
    })
    .meta({ id: 'RefundedOrder' }),
);
