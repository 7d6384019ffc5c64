import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type SettingsRow, settings } from '../schema/platform.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';
import { raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';

/** A short name, because every prepared trip repeats it for each column. */
const short = alias(settings, 's');

const settingsRecord = recordOf(short);

export const findSettings = () => selectRecords(settingsRecord).from(short);

/** The store's time zone, beside the columns of another table. */
export const timezone = sql`(select timezone from settings)`.mapWith(String).as('timezone');

/** Returns a row if the database knows a time zone; the runtime's list may differ. */
export const findTimeZone = (name: string) =>
  raw(sql`select from pg_timezone_names where lower(name) = lower(${name}) limit 1`);

export function saveSettings(before: SettingsRow, row: SettingsRow) {
  // A job may have changed these columns.
  const { states_told_at: _, states_told_user: __, ...after } = row;
  return updateRow(settings, before, after);
}

/** The day in the store's time zone, numbered as in rollups; an SQL expression. */
export const dayNumber = (now: Date) =>
  sql`(select (${now.toISOString()}::timestamptz at time zone timezone)::date - date '2000-01-01'
    from settings)`;
