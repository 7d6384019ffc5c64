import * as z from 'zod';
import {
  affiliateCouponStatuses,
  fieldDemands,
  largestCode,
  uniqueCodeOperations,
} from '../../schema/platform.ts';
import { Email } from '../../lib/email.ts';
import {
  Instant,
  Phone,
  requiredUpTo,
  shortText,
  textUpTo,
  webAddress,
} from '../../lib/schemas.ts';
import { layoutProblem } from '../message/html.ts';
import { languages, paidStatuses } from '../../schema/lists.ts';

const isTimeZone = (name: string) => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone !== '' && /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/.test(name);
  } catch {
    return false;
  }
};

/** Paths can be appended: no query, fragment or user name. */
const site = /^(https?:\/\/[a-z0-9.:[\]-]+(\/([\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?)?$/i;

const shopLink = (page: string) =>
  webAddress.describe(`The store's ${page}: pages of the shop link to it; empty = no link.`);

const fields = {
  store_name: requiredUpTo(200).meta({ examples: ['Demo store'] }),
  platform_name: requiredUpTo(64)
    .describe('The `provider` of sessions that name none.')
    .meta({ examples: ['svc'] }),
  site_url: z
    .union([z.url({ protocol: /^https?$/, abort: true }), z.literal('')])
    .refine(
      (address) => site.test(address),
      'must have no query, fragment or user name, nor characters that are not encoded',
    )
    .describe(
      "The store's own site: affiliate links lead there, and buyers come back there from a payment provider.",
    )
    .meta({ examples: ['https://demo.example'] }),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'must be an ISO 3166-1 code of two letters, or empty')
    .describe(
      "ISO 3166-1 code of the store's country: phone numbers without a calling code are read as numbers of that country. While it is empty, no messages are sent to them.",
    )
    .meta({ examples: ['ID'] }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be an IANA time zone')
    .describe(
      'IANA time zone that days in filters and summaries refer to. Fixed after the first order.',
    )
    .meta({ examples: ['Asia/Jakarta'] }),
  language: z
    .enum(languages)
    .describe('The language of messages to people who chose none.')
    .meta({ examples: ['id'] }),
  notification_email: z
    .union([Email, z.literal('')])
    .describe(
      'The e-mail address to which notices for the seller (new orders and the like) are sent; empty = none.',
    )
    .meta({ examples: ['orders@demo.example'] }),
  notification_phone: Phone.describe(
    'The WhatsApp number to which notices for the seller are sent: with its calling code, or a national number of `country`; empty = none.',
  ).meta({ examples: ['+62 812 5550 100'] }),
  mail_layout: textUpTo(50_000)
    .superRefine((layout, context) => {
      const problem = layoutProblem(layout);
      if (layout !== '' && problem !== undefined) context.addIssue(problem);
    })
    .describe(
      'HTML around the text of e-mails, with `{{content}}` exactly once, where the text goes; it may also contain `{{store-name}}`, `{{store-url}}` and `{{unsubscribe-url}}`. Empty = the default layout.',
    )
    .meta({ examples: [''] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
    .describe(
      'ISO 4217 code. A new store has none, and sells nothing until it is set. Setting it sets `currency_exponent` too, by ISO 4217 (0 for IDR), unless you send both. Fixed after the first order.',
    ),
  currency_exponent: z
    .int()
    .min(0)
    .max(4)
    .describe(
      'Number of decimals of the currency: 2 for USD, 0 for JPY. Fixed after the first order.',
    ),
  access_statuses: z
    .array(z.enum(paidStatuses))
    .max(paidStatuses.length)
    .describe(
      'Statuses of a paid order in which its buyer has access. A completed order always gives access.',
    )
    .meta({ examples: [['completed']] }),
  permanent_affiliate: z
    .boolean()
    .describe("True if an order counts for the buyer's sponsor before any other affiliate."),
  affiliate_coupon_status: z
    .enum(affiliateCouponStatuses)
    .describe('The status of coupons newly created by affiliates.'),
  members_cancel: z
    .boolean()
    .describe('True if members may cancel their own subscriptions, and undo a cancellation.'),
  restock_on_refund: z.boolean().describe('True if a full refund puts the units back in stock.'),
  refund_sign_in_above: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe(
      'A refund requires a console sign-in of the last ten minutes if it brings the refunds of an order, or of an unexpected payment, above this sum, in the smallest unit of the currency; 0 = every refund. API keys are exempt.',
    )
    .meta({ examples: [0] }),
  auto_cancel_days: z
    .int()
    .min(0)
    .max(365)
    .describe('Days after which unpaid orders are cancelled; 0 = never.')
    .meta({ examples: [3] }),
  transfer_hold_days: z
    .int()
    .min(0)
    .max(365)
    .describe(
      'Days for which the exact amount of a transfer stays reserved once its order no longer waits for it (cancelled, deleted, paid in another way, or given another total or bank account), so that a late transfer is not mistaken for the payment of another order. The amount is free as soon as its transfer is reported, and a day after somebody marks the order as paid by hand.',
    ),
  shop_unpaid_orders: z
    .int()
    .min(1)
    .max(100)
    .describe(
      'Maximum number of unpaid orders, also on delivery, that one e-mail address can place at the checkout of the shop.',
    )
    .meta({ examples: [3] }),
  shop_hourly_orders: z
    .int()
    .min(1)
    .max(10_000)
    .describe(
      'Maximum number of forms per hour that the checkout of the shop accepts from one network (/24 of IPv4, /64 of IPv6).',
    )
    .meta({ examples: [10] }),
  shop_hold_hours: z
    .int()
    .min(1)
    .max(720)
    .describe(
      'Hours for which an unpaid order of the shop holds its units, its coupon and its amount, if only the e-mail address of its buyer is known. Then it is cancelled. An order on delivery is not.',
    )
    .meta({ examples: [2] }),
  shop_receipt_days: z
    .int()
    .min(0)
    .max(365)
    .describe(
      'Days after which an order of the shop is cancelled if nobody reviewed its payment proof; 0 = never. An order with undecided money, or an open payment page, is kept.',
    )
    .meta({ examples: [7] }),
  affiliate_sign_up: z
    .boolean()
    .describe('True if members may make themselves affiliates on the page of their account.'),
  affiliate_link_days: z
    .int()
    .min(1)
    .max(3650)
    .describe('Days for which a visit through an affiliate link counts for the affiliate.'),
  velocity_orders: z
    .int()
    .min(0)
    .max(20)
    .describe(
      'Number of orders of one buyer through one affiliate within `velocity_hours` after which each further one is a risk; 0 = never.',
    )
    .meta({ examples: [5] }),
  velocity_hours: z
    .int()
    .min(1)
    .max(720)
    .describe('The hours of `velocity_orders`.')
    .meta({ examples: [24] }),
  unique_code: z
    .object({
      enabled: z.boolean(),
      operation: z.enum(uniqueCodeOperations),
      largest: z
        .int()
        .min(999)
        .max(largestCode)
        .describe('The largest code, in the smallest unit of `currency`: from 999 to 9,999.')
        .meta({ examples: [999] }),
    })
    .describe(
      'A code is added to the total of an order paid by transfer, or subtracted from it, so that each transfer can be recognised. If no code is free, an order gets the code of the order that was cancelled longest ago; if there is none either, the order has no code: `to_do.orders_without_code` of the overview counts those. A transfer that may pay more than one order waits for a person.',
    ),
  manual_accounts: z
    .array(
      z
        .object({
          id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'letters, digits, _ and -, at most 32'),
          bank: shortText,
          owner: shortText,
          account_number: textUpTo(64),
          info: shortText.optional(),
        })
        .meta({ id: 'ManualAccount' }),
    )
    .max(20)
    .refine(
      (accounts) => new Set(accounts.map(({ id }) => id)).size === accounts.length,
      'must each have a unique id',
    )
    .describe('Bank accounts that buyers transfer to. An order picks one by its id.')
    .meta({
      examples: [
        [{ id: 'BCA', bank: 'Bank Central', owner: 'Demo Store', account_number: '1234567890' }],
      ],
    }),
  session_ttl: z
    .int()
    .min(300)
    .max(2_592_000)
    .describe('Lifetime of a user-session token, in seconds.')
    .meta({ examples: [3600] }),
  invoice_prefix: z
    .string()
    .regex(/^[A-Za-z0-9/_-]{0,20}$/, 'letters, digits, /, _ and -, at most 20')
    .describe('Prefix of the numbers of new orders.')
    .meta({ examples: ['INV-'] }),
  shop_logo_url: webAddress
    .describe("The picture that pages of the shop show instead of the store's name; empty = none.")
    .meta({ examples: ['https://shop.example/media/5vG2nPqLxZt8RwKd1HjYb7CmUe4AsF0o.png'] }),
  shop_color: z
    .string()
    .regex(/^(#[0-9a-f]{6})?$/, 'must be # and six digits from 0 to 9 and a to f, or empty')
    .describe(
      'The colour of buttons and links in the shop. Texts on it are black or white, and links are made darker or lighter, so that everybody can read them. Empty = the usual colour.',
    )
    .meta({ examples: ['#1f6feb'] }),
  shop_imprint_url: shopLink('page that says who runs it').meta({
    examples: ['https://demo.example/imprint'],
  }),
  shop_terms_url: shopLink('terms').meta({ examples: ['https://demo.example/terms'] }),
  shop_privacy_url: shopLink('privacy policy').meta({ examples: ['https://demo.example/privacy'] }),
  shop_contact_url: z
    .union([z.url({ protocol: /^(https?|mailto)$/ }), z.literal('')])
    .refine((address) => address.length <= 500, 'must have at most 500 characters')
    .describe(
      'The way to write to the store: an http(s) address, such as that of a chat, or `mailto:` with an e-mail address. Pages of the shop link to it; empty = no link.',
    )
    .meta({ examples: ['mailto:help@demo.example'] }),
  shop_phone: z
    .enum(fieldDemands)
    .describe(
      'How the checkout asks for a phone number. It is required for all goods that are shipped.',
    )
    .meta({ examples: ['optional'] }),
  shop_postal_code: z
    .enum(fieldDemands)
    .describe('How the checkout asks for the postal code of goods that are shipped.')
    .meta({ examples: ['optional'] }),
  shop_frame_sites: z
    .array(
      z
        .string()
        .max(260)
        .regex(
          /^(https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?$/,
          'must be https:// and a host, without a path',
        ),
    )
    .max(20)
    .describe(
      'The sites that may show the checkout in a frame, as `/shop/embed.js` does. No other site can.',
    )
    .meta({ examples: [['https://demo.example']] }),
};

export const Settings = z
  .object({
    ...fields,
    currency: fields.currency.nullable(),
    currency_exponent: fields.currency_exponent.nullable(),
    updated_at: Instant,
    version: z.int(),
  })
  .meta({ id: 'Settings' });
export type Settings = z.output<typeof Settings>;

export const SettingsUpdate = z
  .object({ ...fields, unique_code: fields.unique_code.partial() })
  .partial()
  .meta({ id: 'SettingsUpdate', examples: [{ store_name: 'Roti Bersama', auto_cancel_days: 3 }] });
export type SettingsUpdate = z.output<typeof SettingsUpdate>;
