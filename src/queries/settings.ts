import { settings } from '../schema/platform.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';

const settingsRecord = recordOf(settings);

/** The store's settings, one row. */
export const findSettings = () => selectRecords(settingsRecord).from(settings);
