import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { confirmationStatuses } from './lists.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** Money given back: one row each time. */
export const refunds = pgTable(
  'refunds',
  {
    id: id(),
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    amount: integer().notNull(),
    currency: text().notNull(),
    reason: text(),
    actor_type: choice(actorTypes).notNull(),
    actor_id: integer(),
    created_at: instant().notNull(),
    /** When its order was reopened: it was of the payment before. */
    reopened_at: instant(),
  },
  (t) => [
    check('refunds_amount', sql`${t.amount} > 0`),
    index('refunds_order').on(t.order_id, t.id),
  ],
);

/**
 * The figures that orders with a code wait for by bank transfer, and those they stopped waiting for a
 * while ago, unpaid: no two are the same.
 */
export const payableClaims = pgTable(
  'payable_claims',
  {
    currency: text().notNull(),
    amount: integer().notNull(),
    /** Null when the order was erased. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    /** Until when the figure stays reserved that its order no longer waits for; null while it waits. */
    held_until: instant(),
  },
  (t) => [
    primaryKey({ name: 'payable_claims_pkey', columns: [t.currency, t.amount] }),
    uniqueIndex('payable_claims_order')
      .on(t.order_id)
      .where(sql`${t.held_until} is null`),
    index('payable_claims_held_until')
      .on(t.held_until)
      .where(sql`${t.held_until} is not null`),
    index('payable_claims_of_order').on(t.order_id),
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

/** Buyers' word that they paid, and what became of it. One is pending of an order at most, in `payment-confirm`. */
export const confirmations = pgTable(
  'confirmations',
  {
    id: id(),
    order_id: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    product_id: integer().notNull(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    status: choice(confirmationStatuses).notNull(),
    detail: document<ConfirmationDetail>(emptyDetail).notNull(),
    transferred_at: instant(),
    amount_expected: integer().notNull(),
    amount_matches: boolean().notNull(),
    duplicate_of: integer().references((): AnyPgColumn => confirmations.id, {
      onDelete: 'set null',
    }),
    reviewed_by: integer(),
    reviewed_at: instant(),
    reject_reason: text(),
    ...changes,
  },
  (t) => [
    oneOf('confirmations_status', t.status, confirmationStatuses),
    index('confirmations_order').on(t.order_id, t.id),
    uniqueIndex('confirmations_pending')
      .on(t.order_id)
      .where(sql`${t.status} = 'pending'`),
    index('confirmations_user').on(t.user_id, t.id),
    index('confirmations_status_id').on(t.status, t.id),
    index('confirmations_proof')
      .on(sql`(${t.detail} ->> 'proof')`)
      .where(sql`${t.detail} ->> 'proof' <> ''`),
  ],
);

/** What became of a payment at a provider. */
export const paymentSessionStatuses = ['created', 'pending', 'paid', 'failed', 'expired'] as const;

/** Payments opened at providers: an order has one open at most. */
export const paymentSessions = pgTable(
  'payment_sessions',
  {
    id: id(),
    order_id: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    gateway: text().notNull(),
    /** The provider's own id. */
    session_id: text().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    url: text().notNull(),
    status: choice(paymentSessionStatuses).notNull(),
    expires_at: instant().notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
  },
  (t) => [
    oneOf('payment_sessions_status', t.status, paymentSessionStatuses),
    uniqueIndex('payment_sessions_session').on(t.gateway, t.session_id),
    uniqueIndex('payment_sessions_open')
      .on(t.order_id)
      .where(sql`${t.status} in ('created', 'pending')`),
    index('payment_sessions_order').on(t.order_id, t.id),
  ],
);

/** Providers' events that were taken, so that a repeated one does nothing. */
export const paymentEvents = pgTable(
  'payment_events',
  { gateway: text().notNull(), event_id: text().notNull(), received_at: instant().notNull() },
  (t) => [primaryKey({ name: 'payment_events_pkey', columns: [t.gateway, t.event_id] })],
);

export type SessionRow = typeof paymentSessions.$inferSelect;

export type RefundRow = typeof refunds.$inferSelect;

export type ConfirmationRow = typeof confirmations.$inferSelect;
