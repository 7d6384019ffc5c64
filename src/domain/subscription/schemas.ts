import * as z from 'zod';
import { subscriptionStatuses } from '../../schema/subscriptions.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { orderTypes } from '../../schema/lists.ts';

/** What a user has subscribed to: a chain of orders as one record. */
export const Subscription = z
  .object({
    id: Id,
    order_id: Id.describe('The order whose term runs last.'),
    order_parent_id: Id.nullable().describe('The first order of the chain, where it is another.'),
    product_id: Id,
    product_name: z.string(),
    type: z.enum(orderTypes).describe('Type of the order whose term runs last.'),
    status: z
      .enum(subscriptionStatuses)
      .describe(
        '`pending`: its payment is outstanding again; `inactive`: everything paid was given back.',
      ),
    start: Instant.nullable(),
    end_date: Instant.nullable().describe('Access ends then, unless it is renewed.'),
    days_left: z.int().describe('Days until the end, one that has begun included; 0 when over.'),
    renewable_until: Instant.nullable().describe(
      'Last moment for a renewal order; null = no such limit.',
    ),
    renew_price: z.int().describe('Price of a renewal, in the smallest currency unit.'),
  })
  .meta({ id: 'Subscription' });

export type Subscription = z.output<typeof Subscription>;
