import { settings } from '../../db/schema/platform.ts';
import { build } from '../../db/statements.ts';

/** The store's settings, one row. */
export const findSettings = () => build.select().from(settings);

export type SettingsRow = typeof settings.$inferSelect;
