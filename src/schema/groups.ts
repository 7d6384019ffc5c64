import { sql } from 'drizzle-orm';
import { boolean, check, integer as int4, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { changes, document, id } from '../kernel/database/columns.ts';
import { type GroupParts, noDiscount, noTerms } from './group-parts.ts';
import { noTier } from './product-parts.ts';

/** User groups: prices, commission rates and capabilities of their members. */
export const userGroups = pgTable(
  'user_groups',
  {
    id: id(),
    name: text().notNull(),
    /** Groups with a higher priority are above others. */
    priority: int4().notNull().default(0),
    can_affiliate: boolean().notNull().default(true),
    can_affiliate_coupon: boolean().notNull().default(true),
    discount: document<GroupParts['discount']>(noDiscount).notNull(),
    commissions: document<GroupParts['commissions']>([noTier]).notNull(),
    per_product: document<GroupParts['per_product']>([noTerms]).notNull(),
    min_sales_for_upline: int4().notNull().default(0),
    ...changes,
  },
  (t) => [
    check('user_groups_min_sales_for_upline', sql`${t.min_sales_for_upline} >= 0`),
    uniqueIndex('user_groups_name').on(sql`lower(${t.name})`),
  ],
);

export type GroupColumns = typeof userGroups.$inferSelect;
