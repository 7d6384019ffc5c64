import { sql } from 'drizzle-orm';
import { settings } from '../schema/platform.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';
import { raw } from '../kernel/database/statements.ts';

/** Asks the database for nothing but an answer. */
export const ping = () => raw(sql`select 1`);

const settingsRecord = recordOf(settings);

/** The store's settings, one row. */
export const findSettings = () => selectRecords(settingsRecord).from(settings);
