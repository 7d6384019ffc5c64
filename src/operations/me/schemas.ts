import * as z from 'zod';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { dateParameters, queryId, search } from '../../kernel/endpoint/parameters.ts';
import { Id, shortText, textUpTo } from '../../lib/schemas.ts';
import { orderStatuses, statusGroups } from '../../schema/lists.ts';
import { trackingNumber } from '../../domain/order/schemas.ts';
import { day } from '../../domain/affiliate/schemas.ts';
import { CommissionQuery } from '../../domain/commission/schemas.ts';
import { SessionContext } from '../../domain/session/schemas.ts';

/** Who the token speaks for. Every field is always there; what is unknown is an empty text. */
export const Profile = z
  .object({
    id: Id,
    effective_user_id: Id,
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    bank: z.string().describe('Where commissions are paid to; `bank_info` when it is written.'),
    can_affiliate: z.boolean(),
    can_affiliate_coupon: z.boolean(),
    is_admin: z.boolean(),
  })
  .meta({ id: 'Profile' });

export const ProfileReply = z.object({
  success: z.literal(true),
  data: Profile,
  session: SessionContext,
});

/** What members change of themselves. */
export const ProfileUpdate = z
  .object({
    first_name: textUpTo(100)
      .min(1)
      .describe('Shows in `display_name`, unless that was chosen for the user.'),
    phone: textUpTo(32),
    bank_info: shortText.describe('Where commissions are paid to; `bank` when it is read.'),
  })
  .partial();

/** The filters of the general list, but whose commissions: that is up to the token. */
export const OwnCommissionQuery = CommissionQuery.omit({ affiliate_id: true });

/** The days that commissions are summed up over; of all time by default. */
export const SummaryQuery = z.object({
  date_start: day.describe("From this day in the store's time zone."),
  date_end: day.describe('Up to the end of this day.'),
});

export const OwnLinksQuery = z.object({
  product_id: queryId.optional().describe('Without one: the 100 newest products to promote.'),
  id: queryId.optional().describe('Another name of `product_id`.'),
});

const scopes = ['buyer', 'affiliate', 'all'] as const;
const scope = z.enum(scopes);

export const OrderStatusChange = z
  .object({
    status: z.enum(orderStatuses),
    note: shortText.optional().describe('Kept in the history.'),
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
      '`buyer`: own purchases; `affiliate`: own sales; `all`: every order, for administrators. By default an administrator sees all, everybody else both of their own.',
    ),
  role: scope.optional().describe('Older name of `scope`.'),
  status: z.enum(orderStatuses).optional(),
  status_group: z
    .enum([...statusGroups, 'paid'])
    .optional()
    .describe(
      'A group of statuses; `paid` is in-progress, shipping and completed, whether paid already or to be paid on delivery.',
    ),
  search: search.optional(),
  ...dateParameters,
});
export type OwnOrderQuery = z.output<typeof OwnOrderQuery>;
