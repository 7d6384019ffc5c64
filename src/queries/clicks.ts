import { type SQL, sql } from 'drizzle-orm';
import { type Argument, build, instantOf } from '../kernel/database/statements.ts';
import { affiliateClicks } from '../schema/affiliates.ts';

/** The moment from which visits through affiliate links count, by the store's settings. */
export const clicksCountFrom = (now: Argument<Date>): SQL =>
  sql`(select ${instantOf(now)}::timestamptz - affiliate_link_days * interval '24 hours' from settings)`;

/** Records a visit through an affiliate's link. */
export const insertClick = (click: typeof affiliateClicks.$inferInsert) =>
  build.insert(affiliateClicks).values(click);

/**
 * The id of the affiliate whose link a visit came through, while it counts for them.
 * @param ref the visitor's cookie
 */
export const affiliateOfClick = (ref: Argument<string>, now: Argument<Date>) =>
  sql`(select affiliate_id from affiliate_clicks where ref = ${ref} and at > ${clicksCountFrom(now)})`;
