import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { confirmationStatuses } from './lists.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  listed,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

export const refunds = pg.pgTable(
  'refunds',
  {
    id: id(),
    order_id: reference(() => orders.id),
    amount: integer().notNull(),
    currency: pg.text().notNull(),
    reason: pg.text(),
    actor_type: choice(actorTypes).notNull(),
    actor_id: integer(),
    created_at: instant().notNull(),
    /** The time at which the order was reopened. The refund then belongs to the payment before. */
    reopened_at: instant(),
  },
  (t) => [
    pg.check('refunds_amount', sql`${t.amount} > 0`),
    pg.index('refunds_order').on(t.order_id, t.id),
  ],
);

/**
 * Reserved amounts of transfers, no two of them equal:
 * - amounts that orders with a code wait for,
 * - amounts that orders with a code recently stopped waiting for, without a reported transfer,
 * - totals, with and without a code, that orders recently waited for and no longer show.
 *
 * If no amount is free for an order, it gets the oldest of the second kind.
 */
export const payableClaims = pg.pgTable(
  'payable_claims',
  {
    currency: pg.text().notNull(),
    amount: integer().notNull(),
    /** Null once the order is erased. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    /** The code in an amount that its order no longer waits for, 0 for none. Former versions didn't record it. */
    unique_code: integer(),
    /** The end of the reservation of an amount that its order no longer waits for; null while it waits. */
    held_until: instant(),
    /** The time until which a transfer of this amount may belong to an order that had it before. */
    earlier_until: instant(),
    /** The code in the amount of that earlier order. */
    earlier_code: integer(),
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

export interface ConfirmationDetail {
  sender: string;
  account_number: string;
  total: number | null;
  bank_sender: string;
  bank_recipient: string;
  proof: string;
  note: string;
}

export const emptyDetail: ConfirmationDetail = {
  sender: '',
  account_number: '',
  total: null,
  bank_sender: '',
  bank_recipient: '',
  proof: '',
  note: '',
};

/** True if a confirmation names a sender and an amount. */
export const saysTransfer = sql`detail ->> 'total' is not null and detail ->> 'sender' <> ''`;

/** Buyers' reports of payments, and their outcomes. At most one of an order is pending, in `payment-confirm`. */
export const confirmations = pg.pgTable(
  'confirmations',
  {
    id: id(),
    order_id: reference(() => orders.id, { onDelete: 'cascade' }),
    product_id: integer().notNull(),
    user_id: reference(() => users.id),
    status: choice(confirmationStatuses).notNull(),
    detail: document<ConfirmationDetail>(emptyDetail).notNull(),
    transferred_at: instant(),
    amount_expected: integer().notNull(),
    amount_matches: pg.boolean().notNull(),
    duplicate_of: integer().references((): pg.AnyPgColumn => confirmations.id, {
      onDelete: 'set null',
    }),
    reviewed_by: integer(),
    reviewed_at: instant(),
    reject_reason: pg.text(),
    ...changes,
  },
  (t) => [
    oneOf('confirmations_status', t.status, confirmationStatuses),
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

/** States of a payment at a provider. `opening`: it was requested, and the answer is unknown so far. */
export const paymentSessionStatuses = [
  'opening',
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'cancelled',
] as const;

/** States in which money may still come. */
export const openSessionStatuses = ['opening', 'created', 'pending'] as const;

/** States of a buyer's demand that their bank take a payment back. */
export const disputeStates = ['none', 'open', 'won', 'lost'] as const;

const isOpen = sql.raw(`status in (${listed(openSessionStatuses)})`);

/** Payments opened at providers. An order has at most one that is not superseded. */
export const paymentSessions = pg.pgTable(
  'payment_sessions',
  {
    id: id(),
    order_id: reference(() => orders.id, { onDelete: 'cascade' }),
    gateway: pg.text().notNull(),
    /** Our reference at the provider, unique among the payments of all deployments. */
    reference: pg.text().notNull(),
    /** The provider's own id; null while unknown. */
    provider_id: pg.text(),
    /** The provider's id of the received money. */
    payment_ref: pg.text(),
    /** The id of money that a callback named while the provider didn't answer. Unproven. */
    named_ref: pg.text(),
    amount: integer().notNull(),
    currency: pg.text().notNull(),
    url: pg.text(),
    status: choice(paymentSessionStatuses).notNull(),
    /**
     * The received amount, 0 once the bank has taken all of it back; in the provider's smallest unit if the currency
     * differs.
     */
    paid_amount: integer(),
    paid_currency: pg.text(),
    /** The time at which the session paid its order; null if no money came, or money that the order didn't wait for. */
    booked_at: instant(),
    /** True if the provider can refund the payment. */
    refundable: pg.boolean().notNull(),
    dispute: choice(disputeStates).notNull().default('none'),
    /** The time since which the order waits for another payment, or for no payment. */
    superseded_at: instant(),
    expires_at: instant().notNull(),
    checked_at: instant(),
    /** The time of the next look-up at the provider; null if nothing more is expected. */
    check_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('payment_sessions_status', t.status, paymentSessionStatuses),
    oneOf('payment_sessions_dispute', t.dispute, disputeStates),
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

/** The reason why money pays no order: the order waited for another amount, or for none. */
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

/** Money that nothing waited for, stored until somebody decides. */
export const unexpectedPayments = pg.pgTable(
  'unexpected_payments',
  {
    id: id(),
    session_id: reference(() => paymentSessions.id),
    order_id: reference(() => orders.id),
    gateway: pg.text().notNull(),
    /** In the store's unit; in the provider's if the currency differs from the order's. */
    amount: integer().notNull(),
    currency: pg.text().notNull(),
    reason: choice(unexpectedReasons).notNull(),
    status: choice(unexpectedStatuses).notNull(),
    resolved_at: instant(),
    resolved_by_type: choice(actorTypes),
    resolved_by: integer(),
    ...changes,
  },
  (t) => [
    oneOf('unexpected_payments_reason', t.reason, unexpectedReasons),
    oneOf('unexpected_payments_status', t.status, unexpectedStatuses),
    pg.uniqueIndex('unexpected_payments_session').on(t.session_id, t.reason),
    pg.index('unexpected_payments_status_id').on(t.status, t.id),
    pg.index('unexpected_payments_order').on(t.order_id, t.id),
  ],
);

/** States of a refund through a provider. `requested`: the provider hasn't got it yet. */
export const providerRefundStates = ['requested', 'sent', 'succeeded', 'failed'] as const;

/** States of a refund's money in replies. */
export const refundStates = ['manual', ...providerRefundStates, 'paid_by_hand'] as const;

/**
 * Refunds by providers, requested here or made at the provider. Their effect on an order is in `refunds`; a refund of
 * an unexpected payment has none.
 */
export const providerRefunds = pg.pgTable(
  'provider_refunds',
  {
    id: id(),
    session_id: reference(() => paymentSessions.id),
    refund_id: integer().references(() => refunds.id),
    unexpected_id: integer().references(() => unexpectedPayments.id),
    amount: integer().notNull(),
    state: choice(providerRefundStates).notNull(),
    /** True if the refund was made at the provider instead of here. */
    made_there: pg.boolean().notNull(),
    /** True if a lost dispute made the refund. An appeal may undo it. */
    of_dispute: pg.boolean().notNull().default(false),
    /** The id of the refunded money. After a reversal, the session's page may be paid again, under another id. */
    payment_ref: pg.text(),
    provider_ref: pg.text(),
    attempts: pg.integer().notNull().default(0),
    /** The time of the next attempt or look-up; null once the refund is finished. */
    due_at: instant(),
    /** The reason of the failure, in the provider's code. */
    error: pg.text(),
    /** The time at which a person recorded that a failed refund was paid back by hand. */
    paid_by_hand_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('provider_refunds_state', t.state, providerRefundStates),
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
