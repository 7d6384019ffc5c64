import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { orNull } from '../lib/documents.ts';
import { attributionSources, orderStatuses, orderTypes, statusGroupMembers } from './lists.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  listed,
  live,
  money,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { type CouponDiscount, noDiscount } from './coupon-parts.ts';
import { type ProductParts, defaultParts } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** A variant option at the time of the order. */
export interface OrderVariant {
  group: string;
  option_id: string;
  label: string;
  extra_price: number;
  extra_weight: number;
  /** Of a trial, which has no surcharges: the surcharge of further terms. */
  term_extra_price?: number;
}

export interface OrderShipping {
  option_id: string;
  courier: string;
  service: string;
  cost: number;
  receiver: string;
  phone: string;
  address: string;
  postal_code: string;
  country: string;
  tracking_number: string;
  tracking_url: string;
}

/** The shipping cost of an order for any quantity; weights in grams. */
export interface AgreedShipping {
  cost: number;
  per_kg: number;
  free_above: number | null;
  free: boolean;
  weight_g: number;
}

/** The coupon terms of an order; a `max_discount` of 0 is no limit. */
export interface AgreedCoupon {
  discount: CouponDiscount;
  max_discount: number;
  minimum_amount: number;
}

/** The payment plan of a subscription, as agreed with its first order: every order of the chain has it. */
export interface AgreedPlan {
  payments: number;
  after: ProductParts['subscription']['after'];
  grace_days: number;
  /** The price of an instalment, for one item. */
  price: number;
  duration: number;
  period: ProductParts['subscription']['regular']['period'];
  /** The tax of each instalment; null for the product's, in plans of version 0.1.0 and before. */
  tax: ProductParts['tax'] | null;
  /** The sign-up fee after a trial; null for the product's, likewise. */
  signup: ProductParts['subscription']['signup'] | null;
}

/**
 * The terms of an order when it was placed, besides its own columns. Its price and commissions are
 * calculated from them, whatever happens to the product and the coupon.
 */
export interface AgreedTerms {
  tax: ProductParts['tax'];
  /** Null if the order isn't shipped. */
  shipping: AgreedShipping | null;
  coupon: AgreedCoupon | null;
  plan: AgreedPlan | null;
}

const nothingAgreed: AgreedTerms = {
  tax: defaultParts.tax,
  shipping: null,
  coupon: null,
  plan: null,
};

const agreedShape: AgreedTerms = {
  tax: defaultParts.tax,
  shipping: orNull({ cost: 0, per_kg: 0, free_above: null, free: false, weight_g: 0 }),
  coupon: orNull({ discount: noDiscount, max_discount: 0, minimum_amount: 0 }),
  plan: orNull({
    ...{ payments: 2, after: 'keep', grace_days: 0, price: 0 },
    ...{ duration: 1, period: 'monthly' },
    tax: orNull(defaultParts.tax),
    signup: orNull(defaultParts.subscription.signup),
  }),
};

const noVariant: OrderVariant = {
  group: '',
  option_id: '',
  label: '',
  extra_price: 0,
  extra_weight: 0,
};

export const noShipping: OrderShipping = {
  option_id: '',
  courier: '',
  service: '',
  cost: 0,
  receiver: '',
  phone: '',
  address: '',
  postal_code: '',
  country: '',
  tracking_number: '',
  tracking_url: '',
};

/** The reason why an order counts for its affiliate, or why it doesn't. */
export interface OrderAttribution {
  affiliate_id: number | null;
  source: (typeof attributionSources)[number];
  rejected_reason?: 'self' | 'not-eligible' | 'disabled' | 'fraud';
  /**
   * The page and the campaign of the order's link. Older attributions lack these keys, and their orders are in no link
   * figures, until `src/cli/migrations/backfills.ts` adds them.
   */
  target: string | null;
  sub: string | null;
}

/** True if an order waits for a transfer of its total, without a unique code. */
export const waitsPlainly = sql`unique_code = 0 and status in (${sql.raw(listed(statusGroupMembers.unpaid))})
  and split_part(payment_gateway, ':', 1) = 'manual' and grand_total > 0`;

/** True if an order has waited for a transfer of its total and no longer does. */
export const waitedForTransfer = sql`status not in (${sql.raw(listed(statusGroupMembers.unpaid))})
  and split_part(payment_gateway, ':', 1) = 'manual' and grand_total > 0`;

/** The time at which the order stopped waiting. */
export const waitedUntil = sql`coalesce(paid_at, cancelled_at)`;

/** Orders, one product each. Amounts are in the smallest unit of `currency`. */
export const orders = pg.pgTable(
  'orders',
  {
    id: id(),
    number: pg.text().notNull(),
    order_parent_id: integer().references((): pg.AnyPgColumn => orders.id),
    product_id: reference(() => products.id),
    user_id: reference(() => users.id),
    affiliate_id: integer().references(() => users.id),
    coupon_id: integer(),
    coupon_code: pg.text(),
    /** The title of the product at the time of purchase; null until `src/cli/migrations/backfills.ts` fills it in. */
    product_title: pg.text(),
    quantity: pg.integer().notNull(),
    type: choice(orderTypes).notNull().default('regular'),
    status: choice(orderStatuses).notNull(),
    payment_gateway: pg.text().notNull(),
    currency: pg.text().notNull(),
    unit_price: money(),
    subtotal: money(),
    variant_total: money(),
    signup_fee: money(),
    discount_total: money(),
    shipping_total: money(),
    fee_total: money(),
    unique_code: money(),
    tax_total: money(),
    adjustment_total: money(),
    grand_total: money(),
    refunded_total: money(),
    variants: document<OrderVariant[]>([noVariant]).notNull().default([]),
    shipping: document<OrderShipping>(noShipping),
    attribution: document<OrderAttribution>({
      ...{ affiliate_id: null, source: 'none', target: null, sub: null },
    }),
    agreed: document<AgreedTerms>(agreedShape).notNull().default(nothingAgreed),
    /** The counters that the order's units were taken from. */
    stock_counters: pg.text().array().notNull().default([]),
    note: pg.text(),
    meta: document<Record<string, unknown>>().notNull().default({}),
    paid_at: instant(),
    completed_at: instant(),
    cancelled_at: instant(),
    refunded_at: instant(),
    expires_at: instant(),
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('orders_type', t.type, orderTypes),
    oneOf('orders_status', t.status, orderStatuses),
    pg.check('orders_quantity', sql`${t.quantity} >= 1`),
    pg.check('orders_refunded_total', sql`${t.refunded_total} between 0 and ${t.grand_total}`),
    pg.check(
      'orders_grand_total',
      sql`${t.grand_total} = ${t.subtotal} + ${t.variant_total} + ${t.signup_fee} - ${t.discount_total} + ${t.shipping_total} + ${t.fee_total} + ${t.unique_code} + ${t.tax_total} + ${t.adjustment_total}`,
    ),
    pg.uniqueIndex('orders_number').on(t.number),
    pg.index('orders_live').on(t.id).where(live(t)),
    pg.index('orders_status_id').on(t.status, t.id),
    pg.index('orders_user').on(t.user_id, t.id),
    pg.index('orders_user_product').on(t.user_id, t.product_id, t.id),
    pg
      .index('orders_user_affiliate')
      .on(t.user_id, t.affiliate_id, t.id)
      .where(sql`${t.affiliate_id} is not null`),
    pg.index('orders_product').on(t.product_id, t.id),
    pg.index('orders_affiliate').on(t.affiliate_id, t.id),
    pg
      .index('orders_coupon_code')
      .on(t.coupon_code, t.id)
      .where(sql`${t.coupon_code} is not null`),
    pg
      .index('orders_coupon')
      .on(t.coupon_id, t.id)
      .where(sql`${t.coupon_id} is not null`),
    pg.index('orders_gateway').on(t.payment_gateway, t.id),
    pg.index('orders_created_at').on(t.created_at, t.id),
    pg.index('orders_updated_at').on(t.updated_at, t.id),
    pg
      .index('orders_meta')
      .using('gin', sql`${t.meta} jsonb_path_ops`)
      .where(sql`${t.meta} <> '{}'::jsonb`),
    pg
      .index('orders_expires_at')
      .on(t.expires_at)
      .where(sql`${t.status} = 'on-hold'`),
    pg.index('orders_plain_figure').on(t.currency, t.grand_total).where(waitsPlainly),
    pg
      .index('orders_past_figure')
      .on(t.currency, t.grand_total, waitedUntil)
      .where(waitedForTransfer),
    pg.index('orders_number_search').using('gin', sql`lower(${t.number}) gin_trgm_ops`),
  ],
);

/** Changes of an order's status. Rows never change. */
export const orderHistory = pg.pgTable(
  'order_history',
  {
    id: id(),
    order_id: reference(() => orders.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    from: choice(orderStatuses),
    to: choice(orderStatuses).notNull(),
    actor_type: choice(actorTypes).notNull(),
    actor_id: integer(),
    note: pg.text(),
  },
  (t) => [pg.index('order_history_order').on(t.order_id, t.id)],
);

export type OrderColumns = typeof orders.$inferSelect;
