import { sql } from 'drizzle-orm';
import { boolean, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { changes, id } from '../kernel/database/columns.ts';
import type { Scope } from './scopes.ts';

/** Roles of people who work in the console: their permissions there, as scopes of API keys. */
export const staffRoles = pgTable(
  'staff_roles',
  {
    id: id(),
    name: text().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    /** True for a role that every store has: it can be changed, but not deleted. */
    built_in: boolean().notNull().default(false),
    ...changes,
  },
  (t) => [uniqueIndex('staff_roles_name').on(sql`lower(${t.name})`)],
);

export type StaffRoleRow = typeof staffRoles.$inferSelect;

/** Id of the built-in role that users have as `shop-manager`, too. */
export const shopManagerId = 5;
