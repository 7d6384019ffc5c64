import { boolean, index, pgTable } from 'drizzle-orm/pg-core';
import { integer, reference } from '../kernel/database/columns.ts';
import { userGroups } from './groups.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** Groups that valid orders gave their buyers, with everything that undoing a move needs. */
export const groupMoves = pgTable(
  'group_moves',
  {
    order_id: integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    user_id: reference(() => users.id),
    group_id: reference(() => userGroups.id, { onDelete: 'cascade' }),
    /** True if the order moved the buyer into the group; false if the buyer was already a member. */
    moved: boolean().notNull(),
    /** The group of a moved buyer before all orders; null = no group. Former versions wrote that before the order. */
    from_group_id: integer().references(() => userGroups.id, { onDelete: 'set null' }),
  },
  (t) => [index('group_moves_user').on(t.user_id)],
);
