import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { confirmationStatuses } from './lists.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** Money given back: one row each time. */
export const refunds = pg.pgTable(
  'refunds',
  {
    id: column.id(),
    order_id: column.reference(() => orders.id),
    amount: column.integer().notNull(),
    currency: pg.text().notNull(),
    reason: pg.text(),
    actor_type: column.choice(actorTypes).notNull(),
    actor_id: column.integer(),
    created_at: column.instant().notNull(),
    /** When its order was reopened: it was of the payment before. */
    reopened_at: column.instant(),
  },
  (t) => [
    pg.check('refunds_amount', sql`${t.amount} > 0`),
    pg.index('refunds_order').on(t.order_id, t.id),
  ],
);

/**
 * The figures that orders with a code wait for by bank transfer, and those they stopped waiting for a
 * while ago, unpaid: no two are the same. One of the latter is given to another order where none is free.
 * Among the latter are totals that orders without a code stopped waiting for.
 */
export const payableClaims = pg.pgTable(
  'payable_claims',
  {
    currency: pg.text().notNull(),
    amount: column.integer().notNull(),
    /** Null when the order was erased. */
    order_id: column.integer().references(() => orders.id, { onDelete: 'set null' }),
    /** Until when the figure stays reserved that its order no longer waits for; null while it waits. */
    held_until: column.instant(),
    /** Until when a transfer of it may be that of an order that had it before. */
    earlier_until: column.instant(),
  },
  (t) => [
    pg.primaryKey({ name: 'payable_claims_pkey', columns: [t.currency, t.amount] }),
    pg
      .uniqueIndex('payable_claims_order')
      .on(t.order_id)
      .where(sql`${t.held_until} is null`),
    pg
      .index('payable_claims_held_until')
      .on(t.held_until)
      .where(sql`${t.held_until} is not null`),
    pg.index('payable_claims_of_order').on(t.order_id),
  ],
);

/** What a buyer says of a payment. */
export interface ConfirmationDetail {
  sender: string;
  account_number: string;
  total: number | null;
  bank_sender: string;
  bank_recipient: string;
  proof: string;
  note: string;
}

/** What a buyer who says nothing says. */
export const emptyDetail: ConfirmationDetail = {
  sender: '',
  account_number: '',
  total: null,
  bank_sender: '',
  bank_recipient: '',
  proof: '',
  note: '',
};

/** Whether a confirmation says who sent how much. */
export const saysTransfer = sql`detail ->> 'total' is not null and detail ->> 'sender' <> ''`;

/** Buyers' word that they paid, and what became of it. One is pending of an order at most, in `payment-confirm`. */
export const confirmations = pg.pgTable(
  'confirmations',
  {
    id: column.id(),
    order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    product_id: column.integer().notNull(),
    user_id: column.reference(() => users.id),
    status: column.choice(confirmationStatuses).notNull(),
    detail: column.document<ConfirmationDetail>(emptyDetail).notNull(),
    transferred_at: column.instant(),
    amount_expected: column.integer().notNull(),
    amount_matches: pg.boolean().notNull(),
    duplicate_of: column.integer().references((): pg.AnyPgColumn => confirmations.id, {
      onDelete: 'set null',
    }),
    reviewed_by: column.integer(),
    reviewed_at: column.instant(),
    reject_reason: pg.text(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('confirmations_status', t.status, confirmationStatuses),
    pg.index('confirmations_order').on(t.order_id, t.id),
    pg
      .uniqueIndex('confirmations_pending')
      .on(t.order_id)
      .where(sql`${t.status} = 'pending'`),
    pg.index('confirmations_user').on(t.user_id, t.id),
    pg.index('confirmations_status_id').on(t.status, t.id),
    pg
      .index('confirmations_proof')
      .on(sql`(${t.detail} ->> 'proof')`)
      .where(sql`${t.detail} ->> 'proof' <> ''`),
    pg
      .index('confirmations_transfer')
      .on(sql`((${t.detail} ->> 'total')::bigint)`, sql`lower(${t.detail} ->> 'sender')`)
      .where(saysTransfer),
    pg.index('confirmations_created_at').on(t.created_at, t.id),
  ],
);

/** What became of a payment at a provider. `opening`: it was asked for, nobody knows yet what was answered. */
export const paymentSessionStatuses = [
  'opening',
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'cancelled',
] as const;

/** Those in which money may still come. */
export const openSessionStatuses = ['opening', 'created', 'pending'] as const;

/** Whether the buyer's bank was asked to take a payment back, and what came of it. */
export const disputeStates = ['none', 'open', 'won', 'lost'] as const;

const isOpen = sql.raw(`status in (${column.listed(openSessionStatuses)})`);

/** Payments opened at providers: of an order one at most that isn't to be replaced by another. */
export const paymentSessions = pg.pgTable(
  'payment_sessions',
  {
    id: column.id(),
    order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    gateway: pg.text().notNull(),
    /** What we call it at the provider: no two payments of any deployment are called the same. */
    reference: pg.text().notNull(),
    /** The provider's own id; null before it is known. */
    provider_id: pg.text(),
    /** What the provider calls the money that came. */
    payment_ref: pg.text(),
    amount: column.integer().notNull(),
    currency: pg.text().notNull(),
    url: pg.text(),
    status: column.choice(paymentSessionStatuses).notNull(),
    /** What came: in the provider's smallest unit where it is of another currency. */
    paid_amount: column.integer(),
    paid_currency: pg.text(),
    /** When it paid its order; null where nothing came, or nothing the order waited for. */
    booked_at: column.instant(),
    /** Whether its provider can give money back. */
    refundable: pg.boolean().notNull(),
    dispute: column.choice(disputeStates).notNull().default('none'),
    /** Since when the order doesn't wait for it any more, but for another payment or for none. */
    superseded_at: column.instant(),
    expires_at: column.instant().notNull(),
    /** When the provider was last asked about it. */
    checked_at: column.instant(),
    /** When it is to be asked next; null where nothing more is expected. */
    check_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('payment_sessions_status', t.status, paymentSessionStatuses),
    column.oneOf('payment_sessions_dispute', t.dispute, disputeStates),
    pg.uniqueIndex('payment_sessions_reference').on(t.reference),
    pg.uniqueIndex('payment_sessions_provider_id').on(t.gateway, t.provider_id),
    pg
      .uniqueIndex('payment_sessions_open')
      .on(t.order_id)
      .where(sql`${isOpen} and ${t.superseded_at} is null`),
    pg
      .uniqueIndex('payment_sessions_payment_ref')
      .on(t.gateway, t.payment_ref)
      .where(sql`${t.payment_ref} is not null`),
    pg
      .index('payment_sessions_check_at')
      .on(t.check_at)
      .where(sql`${t.check_at} is not null`),
    pg.index('payment_sessions_order').on(t.order_id, t.id),
  ],
);

/** Why money that came pays no order: the order didn't wait for it, or not for this. */
export const unexpectedReasons = [
  'amount',
  'currency',
  'order_paid',
  'order_cancelled',
  'order_refunded',
  'order_deleted',
  'order_refused',
  'reversed',
] as const;

export const unexpectedStatuses = ['open', 'accepted', 'refunded'] as const;

/** Money that came and that nothing waited for, kept until somebody decides what becomes of it. */
export const unexpectedPayments = pg.pgTable(
  'unexpected_payments',
  {
    id: column.id(),
    session_id: column.reference(() => paymentSessions.id),
    order_id: column.reference(() => orders.id),
    gateway: pg.text().notNull(),
    /** In the store's unit; in the provider's where it is of another currency than the order. */
    amount: column.integer().notNull(),
    currency: pg.text().notNull(),
    reason: column.choice(unexpectedReasons).notNull(),
    status: column.choice(unexpectedStatuses).notNull(),
    resolved_at: column.instant(),
    resolved_by_type: column.choice(actorTypes),
    resolved_by: column.integer(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('unexpected_payments_reason', t.reason, unexpectedReasons),
    column.oneOf('unexpected_payments_status', t.status, unexpectedStatuses),
    pg.uniqueIndex('unexpected_payments_session').on(t.session_id, t.reason),
    pg.index('unexpected_payments_status_id').on(t.status, t.id),
    pg.index('unexpected_payments_order').on(t.order_id, t.id),
  ],
);

/** What became of money that a provider is to give back: `requested`, it doesn't have it yet. */
export const providerRefundStates = ['requested', 'sent', 'succeeded', 'failed'] as const;

/** Where the money of a refund is, as it is shown. */
export const refundStates = ['manual', ...providerRefundStates, 'paid_by_hand'] as const;

/**
 * Money that providers give back, ours to send or made at their dashboards. What it means for an order
 * stands in `refunds`; what is of an unexpected payment means nothing for one.
 */
export const providerRefunds = pg.pgTable(
  'provider_refunds',
  {
    id: column.id(),
    session_id: column.reference(() => paymentSessions.id),
    refund_id: column.integer().references(() => refunds.id),
    unexpected_id: column.integer().references(() => unexpectedPayments.id),
    amount: column.integer().notNull(),
    state: column.choice(providerRefundStates).notNull(),
    /** Whether it was made at the provider, and not sent by us. */
    made_there: pg.boolean().notNull(),
    provider_ref: pg.text(),
    attempts: pg.integer().notNull().default(0),
    /** When it is sent, or asked about, next; null where it is done. */
    due_at: column.instant(),
    /** The provider's word for why it failed. */
    error: pg.text(),
    /** When somebody said that one that failed was paid back by hand. */
    paid_by_hand_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('provider_refunds_state', t.state, providerRefundStates),
    pg.check('provider_refunds_amount', sql`${t.amount} > 0`),
    pg.check('provider_refunds_of', sql`${t.refund_id} is null or ${t.unexpected_id} is null`),
    pg.uniqueIndex('provider_refunds_refund').on(t.refund_id),
    pg.index('provider_refunds_session').on(t.session_id),
    pg.index('provider_refunds_unexpected').on(t.unexpected_id),
    pg
      .index('provider_refunds_state')
      .on(t.state, t.refund_id)
      .where(sql`${t.refund_id} is not null`),
    pg
      .index('provider_refunds_due_at')
      .on(t.due_at)
      .where(sql`${t.due_at} is not null`),
  ],
);

export type UnexpectedRow = typeof unexpectedPayments.$inferSelect;

export type ProviderRefundRow = typeof providerRefunds.$inferSelect;

export type SessionRow = typeof paymentSessions.$inferSelect;

export type RefundRow = typeof refunds.$inferSelect;

export type ConfirmationRow = typeof confirmations.$inferSelect;
