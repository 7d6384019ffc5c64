import { type SQL, sql } from 'drizzle-orm';
import { build } from '../kernel/database/statements.ts';
import { affiliateClicks } from '../schema/affiliates.ts';

/** The moment from which on visits through affiliate links count, by the store's settings. */
export const clicksCountFrom = (now: Date): SQL =>
  sql`(select ${now.toISOString()}::timestamptz - affiliate_link_days * interval '24 hours' from settings)`;

/** Records a visit through an affiliate's link. */
export const insertClick = (click: typeof affiliateClicks.$inferInsert) =>
  build.insert(affiliateClicks).values(click);

/** A visit by what its link left with the visitor, as of a moment. */
export interface Visit {
  readonly ref: string;
  readonly now: Date;
}

/** The id of the affiliate whose link a visit came through, as long as it counts for them. */
export const affiliateOfClick = ({ ref, now }: Visit) =>
  sql`(select affiliate_id from affiliate_clicks where ref = ${ref} and at > ${clicksCountFrom(now)})`;
