import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import {
  dateParameters,
  metaValues,
  queryBoolean,
  queryId,
  queryIds,
  search,
} from '../../kernel/schemas/parameters.ts';
import {
  Id,
  Instant,
  Meta,
  Phone,
  StoreCurrency,
  changeFields,
  codeUpTo,
  nameUpTo,
  noteText,
  payable,
  shortText,
  textUpTo,
  trimmedUpTo,
  webLink,
} from '../../lib/schemas.ts';
import {
  attributionSources,
  orderStatuses,
  orderTypes,
  paymentStatuses,
  productTypes,
  statusGroups,
} from '../../schema/lists.ts';
import { actorTypes } from '../../kernel/auth/actor.ts';
import { Email } from '../../lib/email.ts';

/** The type of an order for a subscription, in requests. */
export const orderTypeInput = z
  .enum(orderTypes)
  .describe(
    'Only for subscription products. By default whichever comes next for the buyer: a trial, a sign-up or a regular term, as far as the product offers them.',
  );

export const orderParentInput = Id.describe(
  'Any order of the subscription to renew. Without it, a new subscription begins.',
);

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

/** The product embedded in an order. */
export const OrderProduct = z
  .object({
    id: Id,
    title: z
      .string()
      .describe('As it was bought: the order keeps it when the product is renamed or deleted.'),
    type: z.enum(productTypes),
  })
  .meta({ id: 'OrderProduct' });

/** The buyer embedded in an order. */
export const OrderUser = z
  .object({ id: Id, display_name: z.string(), email: z.string() })
  .meta({ id: 'OrderUser' });

/** An order in every reply. Amounts are in the smallest unit of `currency`. */
export const Order = z
  .object({
    id: Id.meta({ examples: [12] }),
    number: z.string().describe('The invoice number; unique.'),
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
          .describe('Key of the page whose affiliate link the order came by; null if by none.'),
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

/** One change of an order's status. */
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

/** An order with its history. */
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

/** The reply to an update of an order. */
export const ChangedOrder = record(Order).extend({
  changed: z.boolean().optional().describe('False if the order already had this status.'),
});

const ShippingInput = z.object({
  option_id: trimmedUpTo(64).describe(
    "Id of one of the product's shipping options; the server prices it.",
  ),
  receiver: shortText.default(''),
  phone: Phone.default(''),
  address: shortText.default(''),
  postal_code: textUpTo(20).default(''),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'must be an ISO 3166-1 code of two capitals, or empty')
    .default('')
    .describe('ISO 3166-1 code. Required for a shipping option limited to certain countries.'),
});

const gateway = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}(:[A-Za-z0-9_-]{1,32})?$/,
    'must be a gateway id like manual or manual:BCA',
  );

const OrderBuyer = z
  .object({
    email: Email,
    name: nameUpTo(200).min(1).optional().describe('Display name of a new user.'),
    phone: Phone.optional(),
  })
  .meta({
    id: 'OrderBuyer',
    examples: [{ email: 'budi.santoso@example.com', name: 'Budi Santoso' }],
  });

export const OrderCreate = z
  .object({
    product_id: Id,
    user_id: Id.optional().describe('The buyer. Required unless there is a `buyer`.'),
    buyer: OrderBuyer.optional().describe(
      'The buyer by e-mail address, in place of `user_id`. A user who has the address is the buyer, and is not changed; otherwise one is created.',
    ),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        "1 by default. A subscription is bought one at a time, unless it issues licences: then the quantity is their number. A renewal always has the quantity of its subscription's first order.",
      ),
    status: z
      .enum(orderStatuses)
      .optional()
      .describe('The status to start in; the rules of status changes apply.'),
    coupon_code: codeUpTo(64)
      .min(1)
      .optional()
      .describe(
        "A coupon that takes nothing off (a free trial, a discount that rounds to 0, free shipping of goods that are not shipped) is not used up: the order then has no coupon, but still counts for the coupon's owner.",
      ),
    affiliate_id: Id.optional(),
    ref: trimmedUpTo(64)
      .min(1)
      .optional()
      .describe(
        'The `ref` an affiliate link gave the buyer. It counts for `affiliate_link_days` (a setting), whichever product the buyer orders; one that is older or unknown is ignored.',
      ),
    note: noteText.nullable().optional(),
    meta: Meta.optional(),
    variants: z
      .array(trimmedUpTo(64))
      .max(20)
      .optional()
      .describe('Ids of the chosen variant options.'),
    shipping: ShippingInput.optional(),
    payment_gateway: gateway
      .optional()
      .describe(
        '`manual` (bank transfer) by default. `manual:BCA` picks an account; `cod` is for shipping options that can be paid on delivery.',
      ),
    type: orderTypeInput.optional(),
    order_parent_id: orderParentInput.optional(),
    access_code: trimmedUpTo(100)
      .min(1)
      .optional()
      .describe('Lets the buyer order a closed product.'),
    quote_token: trimmedUpTo(4096)
      .min(1)
      .optional()
      .describe(
        'A token from `GET /checkout/quote`. Apart from product and buyer, nothing the quote contains needs to be sent again.',
      ),
  })
  .refine(({ user_id, buyer }) => user_id !== undefined || buyer !== undefined, {
    path: ['user_id'],
    message: 'is required, or buyer in its place',
    // Checked even if other fields are missing, so that one answer names all faults.
    when: () => true,
  })
  .refine(({ user_id, buyer }) => user_id === undefined || buyer === undefined, {
    path: ['buyer'],
    message: 'must not be sent together with user_id',
  })
  .meta({
    id: 'OrderCreate',
    examples: [
      { product_id: 1, user_id: 4, quantity: 2, note: 'Please send the invoice to my office.' },
    ],
  });

export type OrderCreate = z.output<typeof OrderCreate>;

export const trackingNumber = trimmedUpTo(100).describe(
  'Required to change the status to `shipping`.',
);

export const OrderUpdate = z
  .object({
    status: z.enum(orderStatuses),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe(
        'Only while unpaid. The order is priced again by what was agreed when it was placed; a quantity that would leave nothing to pay is refused.',
      ),
    payment_gateway: gateway.describe('Only while unpaid.'),
    grand_total: payable.describe(
      'Overrides the total, in the smallest unit of `currency`; the difference becomes `adjustment_total`. Must be more than what was refunded. While the order waits for a transfer, this is the exact amount to transfer, including `unique_code`; otherwise `unique_code` becomes 0. Once the order has been paid, the total can only be lowered: 409 `order_not_unpaid` otherwise. Lowering it moves no money; it is recorded in the history, with the `reason` or, without one, with both totals.',
    ),
    affiliate_id: Id.nullable(),
    note: noteText.nullable(),
    meta: Meta,
    shipping: z
      .object({ tracking_number: trackingNumber, tracking_url: webLink })
      .partial()
      .describe('Tracking of the parcel. The rest of `shipping` cannot change.'),
    tracking_number: trackingNumber.describe(
      'Shorthand for `shipping.tracking_number`. Required to change the status to `shipping`.',
    ),
    reason: shortText.describe('Recorded in the history with a change of status or total.'),
  })
  .partial()
  .meta({
    id: 'OrderUpdate',
    examples: [{ status: 'in-progress', reason: 'Transfer seen in the account.' }],
  });

export type OrderUpdate = z.output<typeof OrderUpdate>;

export const OrderFilters = z.object({
  status: z.enum(orderStatuses).optional(),
  user_id: queryId.optional().describe('Only orders of this buyer.'),
  product_id: queryId.optional(),
  affiliate_id: queryId.optional(),
  coupon_id: queryId.optional(),
  ids: queryIds.optional(),
  payment_gateway: textUpTo(64)
    .optional()
    .describe('As in orders, for example `midtrans`, or `manual:BCA` for one bank account.'),
  search: search
    .optional()
    .describe(
      "Part of the order number, or of the buyer's name, e-mail address or phone number, in any spelling; the code of the coupon or the amount of the bank transfer, in full. For a complete order number, e-mail address or licence code, only exact matches are returned. Under 3 characters, only ids and numbers are compared.",
    ),
  ...dateParameters,
  updated_since: changeParameters.updated_since,
  meta: metaValues,
});

export type OrderFilters = z.output<typeof OrderFilters>;

export const OrderQuery = OrderFilters.extend({
  ...changeParameters,
  output: z
    .literal('default', { error: 'must be default, count or sum' })
    .optional()
    .describe(
      '`count` and `sum` return totals instead of orders, as `/orders/count` and `/orders/sum` do.',
    ),
});

export type OrderQuery = z.output<typeof OrderQuery>;

export const OrderDelete = z.strictObject({
  force: queryBoolean
    .optional()
    .describe(
      'Erase the order instead of hiding it. Only for a cancelled order on which no money moved.',
    ),
});

export const OrderDeleteBody = z
  .strictObject({
    force: z.boolean().optional().describe('Same as `force` in the query, which takes precedence.'),
  })
  .meta({ id: 'OrderDelete', examples: [{}] });

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
