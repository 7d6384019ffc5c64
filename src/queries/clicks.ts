import { sql, type SQL } from 'drizzle-orm';

/** The moment from which on visits through affiliate links count, by the store's settings. */
export const clicksCountFrom = (now: Date): SQL =>
  sql`(select ${now.toISOString()}::timestamptz - affiliate_link_days * interval '24 hours' from settings)`;
