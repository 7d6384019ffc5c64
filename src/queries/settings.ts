import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type SettingsRow, settings } from '../schema/platform.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';
import { raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';

/** The table under a short name, which is repeated for each column in every prepared trip. */
const short = alias(settings, 's');

const settingsRecord = recordOf(short);

/** The store's settings, one row. */
export const findSettings = () => selectRecords(settingsRecord).from(short);

/** The store's time zone, beside the columns of another table. */
export const timezone = sql`(select timezone from settings)`.mapWith(String).as('timezone');

/** A row if the database knows a time zone: its list may differ from the runtime's. */
export const findTimeZone = (name: string) =>
  raw(sql`select from pg_timezone_names where lower(name) = lower(${name}) limit 1`);

/** Writes the settings over the version of the decision. */
export function saveSettings(before: SettingsRow, row: SettingsRow) {
  // Leaves out the columns that a job may have changed meanwhile.
  const { states_told_at: _, states_told_user: __, ...after } = row;
  return updateRow(settings, before, after);
}

/** The day of a moment in the store's time zone, as rollups number days; an SQL expression. */
export const dayNumber = (now: Date) =>
  sql`(select (${now.toISOString()}::timestamptz at time zone timezone)::date - date '2000-01-01'
    from settings)`;
