import * as z from 'zod';
import { subscriptionStatuses } from '../../schema/subscriptions.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { orderTypes } from '../../schema/lists.ts';

/** A subscription of a user: a chain of orders as one record. */
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
        '`pending` = its payment is outstanding again; `inactive` = everything paid was refunded.',
      ),
    start: Instant.nullable(),
    end_date: Instant.nullable()
      .describe('When access ends, unless the subscription is renewed.')
      .meta({ examples: ['2026-04-10T09:41:07.312Z'] }),
    days_left: z.int().describe('Days until the end, counting the current day; 0 when it is over.'),
    renewable_until: Instant.nullable().describe(
      'Until when the subscription can be renewed; null = no limit.',
    ),
    renew_price: z.int().describe('Price of a renewal, in the smallest unit of the currency.'),
  })
  .meta({ id: 'Subscription' });

export type Subscription = z.output<typeof Subscription>;
