import * as pg from 'drizzle-orm/pg-core';
import { instant, integer } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';

/** Accepted forms of the shop's checkout. Each makes one order at most, however often it is sent. */
export const purchaseForms = pg.pgTable(
  'purchase_forms',
  {
    /** An HMAC of the key in the form. */
    key: pg.text().primaryKey(),
    /** Null while the form waits for its link in the mail. */
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    /** The typed details of the buyer, which change no account. */
    name: pg.text().notNull(),
    email: pg.text().notNull(),
    phone: pg.text().notNull(),
    /** An HMAC of the sender's network and the day. */
    network: pg.text().notNull(),
    /** A part of the signature of links to the order; null ends all links. */
    link_generation: pg.integer().default(0),
    created_at: instant().notNull(),
  },
  (t) => [
    pg.uniqueIndex('purchase_forms_order').on(t.order_id),
    pg.index('purchase_forms_email').on(t.email, t.created_at),
    pg.index('purchase_forms_network').on(t.network, t.created_at),
  ],
);

export type PurchaseFormRow = typeof purchaseForms.$inferSelect;
