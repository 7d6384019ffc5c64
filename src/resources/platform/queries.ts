import { sql } from 'drizzle-orm';
import { settings } from '../../db/schema/platform.ts';
import { build, raw } from '../../db/statements.ts';

/** Asks the database for nothing but an answer. */
export const ping = () => raw(sql`select 1`);

/** The store's settings, one row. */
export const findSettings = () => build.select().from(settings);

export type SettingsRow = typeof settings.$inferSelect;
