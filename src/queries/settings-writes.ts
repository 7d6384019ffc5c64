import { sql } from 'drizzle-orm';
import { orders } from '../schema/orders.ts';
import { settings } from '../schema/platform.ts';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { SettingsRow } from '../schema/platform.ts';

/** One row when the store has an order, deleted ones included. */
export const findAnyOrder = () => build.select({ id: orders.id }).from(orders).limit(1);

/** A row when the database knows a time zone: its list may be another than the runtime's. */
export const findTimeZone = (name: string) =>
  raw(sql`select from pg_timezone_names where lower(name) = lower(${name}) limit 1`);

/** Writes the settings over the version they were decided on. */
export const saveSettings = (before: SettingsRow, after: SettingsRow) =>
  updateRow(settings, before, after);

/** Keeps orders out while what they depend on changes, and makes sure that there is none. */
export const holdOrders = (): Write<'setting_locked'>[] => [
  raw(sql`lock table orders in share mode`),
  {
    code: 'setting_locked',
    statement: raw(sql`select svc_guard(not exists (select from orders), 'setting_locked')`),
  },
];
