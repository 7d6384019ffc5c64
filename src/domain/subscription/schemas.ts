import * as z from 'zod';
import { textUpTo } from '../../lib/storable.ts';
import { cancellers, subscriptionStatuses } from '../../schema/subscriptions.ts';
import { Id, Instant, InstantInput, payable, requiredUpTo } from '../../lib/schemas.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import { orderStatuses, orderTypes } from '../../schema/lists.ts';
import { periods } from '../../schema/product-parts.ts';

const Scheduled = z
  .object({
    change: z
      .enum(['cancel', 'price'])
      .describe(
        '`cancel` = it ends without a renewal; `price` = further terms have another price.',
      ),
    at: Instant.nullable()
      .optional()
      .describe(
        'When the subscription ends; null while it is paused without an end, or never ends.',
      ),
    by: z.enum(cancellers).optional().describe('The party that cancelled it.'),
    price: z
      .int()
      .optional()
      .describe('The price of further terms, in the smallest unit of the currency.'),
  })
  .meta({
    id: 'ScheduledChange',
    examples: [{ change: 'cancel', at: '2026-04-10T09:41:07.312Z', by: 'member' }],
  });

/** A chain of orders as one record. */
export const Subscription = z
  .object({
    id: Id,
    order_id: Id.describe('The order whose term ends last.'),
    order_parent_id: Id.nullable().describe(
      "The subscription's first order, if that is a different one; otherwise null.",
    ),
    product_id: Id,
    product_name: z.string(),
    type: z.enum(orderTypes).describe('Type of the order whose term ends last.'),
    status: z
      .enum(subscriptionStatuses)
      .describe(
        '`pending` = its payment is outstanding again; `paused` = without access until it is resumed; `inactive` = everything paid was refunded; `expired` = its time ran out; `cancelled` = its time is over and it cannot be renewed.',
      ),
    start: Instant.nullable(),
    end_date: Instant.nullable()
      .describe(
        'When access ends, unless the subscription is renewed; null if it never ends, or is paused without an end.',
      )
      .meta({ examples: ['2026-04-10T09:41:07.312Z'] }),
    days_left: z
      .int()
      .nullable()
      .describe(
        'Days until the end, counting the current day; 0 when it is over, null if it never ends. They stay the same during a pause.',
      )
      .meta({ examples: [12] }),
    renewable: z.boolean().describe('True if another order can renew it now.'),
    renewable_until: Instant.nullable().describe(
      'The last moment at which the subscription can be renewed; null = no limit.',
    ),
    renew_price: z
      .int()
      .describe(
        "Price of a renewal, in the smallest unit of the currency: for the quantity of the first order and the variants of the last paid term, with the group's discount. Sign-up fee, shipping and added tax come on top.",
      ),
    payments: z
      .int()
      .nullable()
      .describe('Payments of its plan; null = it is renewed until it is cancelled.')
      .meta({ examples: [6] }),
    paid: z
      .int()
      .nullable()
      .describe('Number of payments that were made and not refunded in full; null without a plan.')
      .meta({ examples: [2] }),
    next_due: Instant.nullable().describe('When the next payment of the plan is due.'),
    paused_at: Instant.nullable().describe('The beginning of the pause.'),
    resumes_at: Instant.nullable().describe('When the pause ends by itself; null = it does not.'),
    cancelled_at: Instant.nullable().describe('When it was cancelled.'),
    cancel_reason: z
      .string()
      .nullable()
      .describe('The reason given for the cancellation.')
      .meta({ examples: ['too expensive'] }),
    scheduled: z.array(Scheduled).describe('Changes that are to come.'),
    version: z.int(),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.output<typeof Subscription>;

export const StoreSubscription = Subscription.extend({
  user_id: Id,
  user: z
    .object({ id: Id, display_name: z.string(), email: z.string().nullable() })
    .meta({ id: 'SubscriptionUser' }),
  next_price: z
    .int()
    .nullable()
    .describe('Price of one item of further terms; null = that of the product, or of the plan.')
    .meta({ examples: [45_000] }),
  note: z
    .string()
    .nullable()
    .describe('For the store alone.')
    .meta({ examples: ['Asked twice.'] }),
  created_at: Instant,
  updated_at: Instant,
}).meta({ id: 'StoreSubscription' });
export type StoreSubscription = z.output<typeof StoreSubscription>;

const Term = z
  .object({
    order_id: Id,
    type: z.enum(orderTypes),
    duration: z.int().describe('Length of the term, in units of `period`.'),
    period: z.enum(periods),
    activated_at: Instant.nullable().describe('When it began to count; null = it does not.'),
  })
  .meta({ id: 'SubscriptionTermOfOrder' });

const ChainOrder = z
  .object({
    id: Id,
    number: z.string(),
    status: z.enum(orderStatuses),
    grand_total: z.int(),
    refunded_total: z.int(),
    currency: z.string(),
    paid_at: Instant.nullable(),
    created_at: Instant,
  })
  .meta({ id: 'SubscriptionOrder' });

const Pause = z
  .object({
    at: Instant,
    until: Instant.nullable().describe('The planned end of the pause.'),
    resumed_at: Instant.nullable().describe('When the pause ended; null = it has not ended.'),
  })
  .meta({ id: 'SubscriptionPause' });

const chain = {
  orders: z.array(ChainOrder).describe('The first order and its renewals, oldest first.'),
  terms: z.array(Term).describe('The time that each order pays for.'),
  pauses: z.array(Pause).describe('Oldest first.'),
};

export const SubscriptionWithChain = Subscription.extend(chain).meta({
  id: 'SubscriptionWithChain',
});

export const StoreSubscriptionWithChain = StoreSubscription.extend(chain).meta({
  id: 'StoreSubscriptionWithChain',
});

export const SubscriptionQuery = z.object({
  ...changeParameters,
  status: z.enum(subscriptionStatuses).optional(),
  product_id: queryId.optional(),
  user_id: queryId.optional(),
  ends_before: InstantInput.optional().describe('Only subscriptions that end before this moment.'),
  ends_after: InstantInput.optional().describe(
    'Only subscriptions that end at this moment or later.',
  ),
});
export type SubscriptionQuery = z.output<typeof SubscriptionQuery>;

export const SubscriptionUpdate = z
  .object({
    end_date: InstantInput.describe(
      'Sets the end, whatever it was. Further terms count from there.',
    ),
    next_price: payable
      .nullable()
      .describe(
        'Price of one item of each further term, in the smallest unit of the currency, without a group discount and before the surcharges of options, which cannot make it negative; null = that of the product, or of the plan.',
      ),
    note: textUpTo(2000).nullable(),
  })
  .partial()
  .meta({ id: 'SubscriptionUpdate', examples: [{ next_price: 45_000 }] });
export type SubscriptionUpdate = z.output<typeof SubscriptionUpdate>;

export const SubscriptionCancel = z
  .object({
    at: z
      .enum(['end', 'now'])
      .describe('`end` = access continues to the end of the paid time; `now` = it ends now.'),
    reason: requiredUpTo(200)
      .optional()
      .describe(
        'The overview counts subscriptions by reason: word the same reason in the same way.',
      )
      .meta({ examples: ['too expensive'] }),
  })
  .meta({ id: 'SubscriptionCancel', examples: [{ at: 'end', reason: 'too expensive' }] });
export type SubscriptionCancel = z.output<typeof SubscriptionCancel>;

export const SubscriptionPauseInput = z
  .strictObject({
    until: InstantInput.optional().describe('When the subscription resumes by itself.'),
  })
  .meta({ id: 'SubscriptionPauseInput', examples: [{ until: '2026-05-01T00:00:00.000Z' }] });
