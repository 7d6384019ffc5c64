import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Id, Instant, shortText } from '../../lib/schemas.ts';
import { actorTypes } from '../../kernel/auth/actor.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { dateParameters, queryId } from '../../kernel/schemas/parameters.ts';
import { refundStates } from '../../schema/payments.ts';
import { Order } from '../order/schemas.ts';

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
      .enum(refundStates)
      .describe(
        "State of the money: `manual` = the store pays it back itself · `requested` = the request to the payment provider is about to be sent · `sent` = the provider is paying it back · `succeeded` = it went back · `failed` = the provider could not; somebody has to pay it back by hand · `paid_by_hand` = somebody did. Either way the refund counts in the order's totals.",
      )
      .meta({ examples: ['requested'] }),
    paid_by_hand_at: Instant.nullable().describe(
      'When somebody noted that they paid back by hand what the provider could not.',
    ),
    created_at: Instant,
    reopened_at: Instant.nullable().describe(
      'When the order was reopened, to be paid again, after all of it was refunded. From then on the refund no longer counts in `refunded_total`.',
    ),
  })
  .meta({ id: 'Refund' });

/** Its order may be deleted. */
export const ListedRefund = Refund.extend({
  order: z
    .object({
      id: Id,
      number: z.string().meta({ examples: ['INV-001024'] }),
      deleted_at: Instant.nullable().describe('When the order was deleted.'),
    })
    .meta({ id: 'RefundOrder' }),
}).meta({ id: 'ListedRefund' });
export type ListedRefund = z.output<typeof ListedRefund>;

export const RefundQuery = z.object({
  ...pageParameters,
  state: z.enum(refundStates).optional(),
  order_id: queryId.optional(),
  ...dateParameters,
});
export type RefundQuery = z.output<typeof RefundQuery>;

export const RefundResolve = z
  .strictObject({ action: z.literal('paid_by_hand') })
  .meta({ id: 'RefundResolve', examples: [{ action: 'paid_by_hand' }] });

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
          'The part that the payment provider cannot give back, as a `manual` refund of its own; null if there is none.',
        )
        .meta({ examples: [null] }),
      order: Order,
    })
    .meta({ id: 'RefundedOrder' }),
);
