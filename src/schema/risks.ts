import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import {
  changes,
  choice,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import { pairKinds, riskKinds, riskStatuses } from './lists.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

const ofPairs = sql.raw(pairKinds.map((kind) => `'${kind}'`).join(', '));

/**
 * Suspicions that an affiliate earns from their own purchases. Only ids are stored: the shared details are read when a risk is
 * shown.
 */
export const risks = pg.pgTable(
  'risks',
  {
    id: id(),
    kind: choice(riskKinds).notNull(),
    affiliate_id: reference(() => users.id),
    /** The buyer, or the other affiliate of a pair. */
    other_id: reference(() => users.id),
    /** The order in which the risk was found; null once the order is erased. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    /** The tier of the affiliate in that order. */
    tier: pg.smallint().notNull(),
    status: choice(riskStatuses).notNull(),
    /** True if no further risk of this kind is reported. */
    trusted: pg.boolean().notNull().default(false),
    note: pg.text(),
    decided_at: instant(),
    decided_by_type: choice(actorTypes),
    decided_by: integer(),
    ...changes,
  },
  (t) => [
    oneOf('risks_kind', t.kind, riskKinds),
    oneOf('risks_status', t.status, riskStatuses),
    pg.check('risks_people', sql`${t.affiliate_id} <> ${t.other_id}`),
    pg.check('risks_trusted', sql`not ${t.trusted} or ${t.status} = 'cleared'`),
    pg
      .uniqueIndex('risks_open_pair')
      .on(
        t.kind,
        sql`least(${t.affiliate_id}, ${t.other_id})`,
        sql`greatest(${t.affiliate_id}, ${t.other_id})`,
      )
      .where(sql`${t.status} = 'open' and ${t.kind} in (${ofPairs})`),
    pg.index('risks_status_id').on(t.status, t.id),
    pg.index('risks_kind_id').on(t.kind, t.id),
    pg.index('risks_affiliate').on(t.affiliate_id, t.id),
    pg
      .index('risks_trusted')
      .on(t.affiliate_id)
      .where(sql`${t.trusted}`),
    pg
      .index('risks_pair')
      .on(t.affiliate_id, t.other_id)
      .where(sql`${t.kind} in (${ofPairs})`),
    pg.index('risks_other').on(t.other_id, t.id),
    pg.index('risks_order').on(t.order_id),
  ],
);

/** The tiers of orders that a risk is about; tier 1 stands for all tiers of an order. */
export const riskOrders = pg.pgTable(
  'risk_orders',
  {
    risk_id: reference(() => risks.id, { onDelete: 'cascade' }),
    order_id: reference(() => orders.id, { onDelete: 'cascade' }),
    tier: pg.smallint().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.order_id, t.risk_id, t.tier] }),
    pg.index('risk_orders_risk').on(t.risk_id, t.order_id),
  ],
);

export type RiskColumns = typeof risks.$inferSelect;

export type RiskOrderColumns = typeof riskOrders.$inferSelect;
