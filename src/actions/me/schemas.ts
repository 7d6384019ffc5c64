import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/query.ts';
import { dateParameters, queryId, search } from '../../kernel/schemas/parameters.ts';
import { shortText } from '../../lib/schemas.ts';
import { orderStatuses, statusGroups } from '../../schema/lists.ts';
import { trackingNumber } from '../../domain/order/request-schemas.ts';
import { day } from '../../domain/affiliate/schemas.ts';
import { CommissionQuery } from '../../domain/commission/schemas.ts';

/** The affiliate is the token's user. */
export const OwnCommissionQuery = CommissionQuery.omit({
  affiliate_id: true,
  flags: true,
  updated_since: true,
}).extend({ sort: pageParameters.sort });

/** By default all time. */
export const SummaryQuery = z.object({
  date_start: day.describe("From this day on, in the store's time zone."),
  date_end: day.describe("Up to the end of this day, in the store's time zone."),
});

export const OwnLinksQuery = z.object({
  product_id: queryId
    .optional()
    .describe('Without it, the 100 newest products that can be promoted.'),
  id: queryId.optional().describe('Alias of `product_id`.'),
});

export const orderScopes = ['buyer', 'affiliate', 'all'] as const;
const scope = z.enum(orderScopes);

export const OrderStatusChange = z
  .object({
    status: z.enum(orderStatuses),
    note: shortText.optional().describe("Recorded in the order's history."),
    tracking_number: trackingNumber.optional(),
  })
  .meta({
    id: 'OrderStatusChange',
    examples: [{ status: 'completed', note: 'Handed over in person.' }],
  });

export const OwnOrderQuery = z.object({
  ...pageParameters,
  scope: scope
    .optional()
    .describe(
      "`buyer` = the user's purchases; `affiliate` = the user's sales; `all` = every order, for administrators only. By default administrators see all orders, everyone else their purchases and sales.",
    ),
  role: scope.optional().describe('Older name of `scope`.'),
  status: z.enum(orderStatuses).optional(),
  status_group: z
    .enum([...statusGroups, 'paid'])
    .optional()
    .describe(
      'A group of statuses. `paid` covers `in-progress`, `shipping` and `completed`, whether paid already or to be paid on delivery.',
    ),
  search: search.optional(),
  ...dateParameters,
});
export type OwnOrderQuery = z.output<typeof OwnOrderQuery>;
