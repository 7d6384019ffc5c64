import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Id, Instant, StoreCurrency, changeFields } from '../../lib/schemas.ts';
import {
  attributionSources,
  orderStatuses,
  orderTypes,
  paymentStatuses,
  productTypes,
  statusGroups,
} from '../../schema/lists.ts';
import { actorTypes } from '../../kernel/auth/actor.ts';

const amount = z.int();

const Shipping = z
  .object({
    option_id: z.string(),
    courier: z.string(),
    service: z.string(),
    cost: z.int().describe("In the smallest unit of the order's currency."),
    receiver: z.string(),
    phone: z.string(),
    address: z.string(),
    postal_code: z.string(),
    country: z.string().describe('ISO 3166-1 code.'),
    tracking_number: z.string(),
    tracking_url: z.string(),
  })
  .meta({ id: 'OrderShipping' });

export const OrderProduct = z
  .object({
    id: Id,
    title: z
      .string()
      .describe('As it was bought: the order keeps it when the product is renamed or deleted.'),
    type: z.enum(productTypes),
  })
  .meta({ id: 'OrderProduct' });

export const OrderUser = z
  .object({ id: Id, display_name: z.string(), email: z.string() })
  .meta({ id: 'OrderUser' });

/** Amounts are in the smallest unit of `currency`. */
export const Order = z
  .object({
    id: Id.meta({ examples: [12] }),
    number: z
      .string()
      .describe('The invoice number; unique. Gaps are normal: a refused order uses up its number.'),
    order_parent_id: Id.nullable().describe(
      'The first order of the subscription that this order renews; null if it renews none.',
    ),
    product_id: Id,
    user_id: Id.describe('The buyer.'),
    affiliate_id: Id.nullable().describe('The affiliate the order counts for.'),
    coupon_id: Id.nullable(),
    coupon_code: z
      .string()
      .nullable()
      .meta({ examples: ['HEMAT10'] }),
    quantity: z.int(),
    type: z.enum(orderTypes),
    status: z.enum(orderStatuses).meta({ examples: ['in-progress'] }),
    status_group: z
      .enum(statusGroups)
      .describe('Derived from the status.')
      .meta({ examples: ['processing'] }),
    payment_status: z
      .enum(paymentStatuses)
      .describe('Derived from the status, the refunds and whether money came in.')
      .meta({ examples: ['paid'] }),
    payment_gateway: z
      .string()
      .describe('For example `manual:BCA`: the gateway and, for a bank transfer, the account.'),
    currency: z.string().describe('ISO 4217 code.'),
    unit_price: amount.describe('Price of one item, without surcharges of variants.'),
    subtotal: amount.describe('`unit_price` times `quantity`.'),
    variant_total: amount.describe('Surcharges of the chosen variant options, for all items.'),
    signup_fee: amount.describe('Charged once, with the sign-up to a subscription.'),
    discount_total: amount.describe(
      'Discount of the coupon, as a positive number: 10000 lowers the total by 10000.',
    ),
    shipping_total: amount,
    fee_total: amount.describe('Fee for payment on delivery.'),
    unique_code: amount.describe(
      'Amount that the unique code added to the total (negative: subtracted), so that the transfer can be identified.',
    ),
    tax_total: amount.describe(
      'Tax added to the price. Tax included in the price is not counted here.',
    ),
    adjustment_total: amount.describe(
      'Amount that overriding the total added to it, or took off if negative.',
    ),
    grand_total: amount.describe('The amount to pay.'),
    refunded_total: amount,
    net_total: amount.describe('`grand_total` less `refunded_total`.'),
    variants: z
      .array(
        z
          .object({
            group: z.string(),
            option_id: z.string(),
            label: z.string(),
            extra_price: amount.describe('Surcharge per item.'),
            extra_weight: z.int().describe('In grams, per item.'),
          })
          .meta({ id: 'OrderVariant' }),
      )
      .meta({ examples: [[]] }),
    shipping: Shipping.nullable().meta({ examples: [null] }),
    attribution: z
      .object({
        affiliate_id: Id.nullable(),
        source: z.enum(attributionSources),
        rejected_reason: z
          .enum(['self', 'not-eligible', 'disabled', 'fraud'])
          .optional()
          .describe(
            'Why the affiliate earns nothing: `self` = they are the buyer; `not-eligible` = they may not promote the product; `disabled` = the product is not in the programme; `fraud` = they share contact details with the buyer.',
          ),
        target: z
          .string()
          .nullable()
          .describe(
            'Key of the page of the affiliate link that led to the order; null without one.',
          ),
        sub: z.string().nullable().describe('The campaign that the link named; null without one.'),
      })
      .meta({ id: 'OrderAttribution' })
      .nullable()
      .describe('The affiliate of the order with the reason, or the reason why it has none.'),
    note: z
      .string()
      .nullable()
      .meta({ examples: ['Please send the invoice to my office.'] }),
    meta: z.record(z.string(), z.json()),
    next_statuses: z
      .array(z.enum(orderStatuses))
      .describe('The statuses the order may change to now.')
      .meta({ examples: [['on-hold', 'completed', 'refunded', 'cancelled']] }),
    paid_at: Instant.nullable().meta({ examples: ['2026-03-10T09:41:07.312Z'] }),
    completed_at: Instant.nullable(),
    cancelled_at: Instant.nullable(),
    refunded_at: Instant.nullable(),
    expires_at: Instant.nullable()
      .describe(
        'When the order is cancelled if still unpaid, unless there is nothing to pay; null = never.',
      )
      .meta({ examples: [null] }),
    ...changeFields,
    product: OrderProduct,
    user: OrderUser,
    affiliate: z
      .object({ id: Id, display_name: z.string() })
      .meta({ id: 'OrderAffiliate' })
      .nullable(),
  })
  .meta({ id: 'Order', description: 'Amounts are in the smallest unit of `currency`.' });

export type Order = z.output<typeof Order>;

export const HistoryEntry = z
  .object({
    at: Instant,
    from: z.enum(orderStatuses).nullable(),
    to: z.enum(orderStatuses),
    actor_type: z.enum(actorTypes),
    actor_id: Id.nullable().describe('Id of the API key or user; null for the system.'),
    actor_name: z
      .string()
      .nullable()
      .describe(
        'Present name of the API key or user; null for the system, and for members who ask under `/me`.',
      ),
    note: z.string().nullable(),
  })
  .meta({
    id: 'OrderHistoryEntry',
    description:
      "A change of an order's status. Where `from` equals `to`, the total was changed instead, and `note` says why.",
  });

export type HistoryEntry = z.output<typeof HistoryEntry>;

export const OrderWithHistory = Order.extend({
  history: z.array(HistoryEntry).meta({
    examples: [
      [
        {
          at: '2026-03-10T09:00:00.000Z',
          from: null,
          to: 'on-hold',
          actor_type: 'key',
          actor_id: 1,
          actor_name: 'Shop',
          note: null,
        },
        {
          at: '2026-03-10T09:41:07.312Z',
          from: 'on-hold',
          to: 'in-progress',
          actor_type: 'user',
          actor_id: 1,
          actor_name: 'Ayu Lestari',
          note: 'Transfer seen in the account.',
        },
      ],
    ],
  }),
}).meta({
  id: 'OrderWithHistory',
});

export const ChangedOrder = record(Order).extend({
  changed: z.boolean().optional().describe('False if the order already had this status.'),
});

const inStatus = Object.fromEntries(orderStatuses.map((status) => [status, z.int()])) as Record<
  (typeof orderStatuses)[number],
  z.ZodInt
>;

export const StatusCounts = z.object(inStatus).meta({ id: 'OrderStatusCounts' });

export const OrderCount = z
  .object({ count: z.int(), by_status: StatusCounts })
  .meta({ id: 'OrderCount' });

export const OrderSums = z
  .object({
    count: z.int(),
    sums: z
      .array(
        z.object({
          currency: StoreCurrency,
          grand_total: amount,
          refunded_total: amount,
          net_total: amount,
          quantity: z.int(),
        }),
      )
      .describe('One entry per currency; at least one, even if nothing matches.'),
  })
  .meta({ id: 'OrderSums' });
