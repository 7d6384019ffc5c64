import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/pagination.ts';
import { dateParameters, queryId, search } from '../../kernel/schemas/parameters.ts';
import { Id, Phone, requiredUpTo, shortText } from '../../lib/schemas.ts';
import { orderStatuses, statusGroups } from '../../schema/lists.ts';
import { trackingNumber } from '../../domain/order/schemas.ts';
import { day } from '../../domain/affiliate/schemas.ts';
import { CommissionQuery } from '../../domain/commission/schemas.ts';
import { userLanguage } from '../../domain/user/schemas.ts';
import { SessionContext } from '../../domain/session/schemas.ts';

/** Who the token speaks for. Every field is always there; what is unknown is an empty text. */
export const Profile = z
  .object({
    id: Id.meta({ examples: [4] }),
    effective_user_id: Id,
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    bank: z
      .string()
      .describe('The bank account commissions are paid to. Update it as `bank_info`.')
      .meta({ examples: ['BCA 5501234700'] }),
    language: userLanguage.nullable(),
    can_affiliate: z.boolean(),
    can_affiliate_coupon: z.boolean(),
    is_admin: z.boolean(),
  })
  .meta({ id: 'Profile' });

export const ProfileReply = z
  .object({
    success: z.literal(true),
    data: Profile,
    session: SessionContext,
  })
  .meta({ id: 'ProfileReply' });

/** What members change of themselves. */
export const ProfileUpdate = z
  .object({
    first_name: requiredUpTo(100).describe(
      'Also changes `display_name`, unless that was set separately.',
    ),
    phone: Phone,
    bank_info: shortText.describe('The bank account commissions are paid to. Shown as `bank`.'),
    language: userLanguage.nullable(),
  })
  .partial()
  .meta({ id: 'ProfileUpdate' });

/** The filters of the general list, but whose commissions: that is up to the token. */
export const OwnCommissionQuery = CommissionQuery.omit({ affiliate_id: true });

/** The days that commissions are summed up over; of all time by default. */
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
