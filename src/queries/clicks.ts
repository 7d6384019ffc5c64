import { type SQL, eq, sql } from 'drizzle-orm';
import { mostSubs, otherSub } from '../domain/affiliate/links.ts';
import { type Argument, build, instantOf, raw } from '../kernel/database/statements.ts';
import { affiliateClicks } from '../schema/affiliates.ts';

/** The time from which visits through affiliate links still count. */
export const clicksCountFrom = (now: Argument<Date>): SQL =>
  sql`(select ${instantOf(now)}::timestamptz - affiliate_link_days * interval '24 hours' from settings)`;

const counts = (ref: Argument<string>, now: Argument<Date>) =>
  sql`ref = ${ref} and at > ${clicksCountFrom(now)}`;

/**
 * The affiliate whose link a visit came through, while the visit counts.
 * @param ref the visitor's cookie
 */
export const affiliateOfClick = (ref: Argument<string>, now: Argument<Date>) =>
  sql`(select affiliate_id from affiliate_clicks where ${counts(ref, now)})`;

/** The page and the campaign of a visit's link, while the visit counts. */
export const findLinkOfClick = (ref: Argument<string>, now: Argument<Date>) =>
  build
    .select({ target: affiliateClicks.target, sub: affiliateClicks.sub })
    .from(affiliateClicks)
    .where(counts(ref, now));

/** The visitor with a `ref`, if known. */
export const findVisitor = (ref: string) =>
  build
    .select({ visitor: sql<string>`coalesce(visitor, ref)` })
    .from(affiliateClicks)
    .where(eq(affiliateClicks.ref, ref));

type Click = Omit<typeof affiliateClicks.$inferInsert, 'id' | 'counted_on'> & {
  readonly sub: string;
};

/**
 * Records a visit through an affiliate's link. Counts it if it is the visitor's first to this link today. A new
 * campaign beyond an affiliate's daily limit is counted with others.
 */
export function insertClick({ ref, affiliate_id, product_id, target, at, sub, visitor }: Click) {
  const today = sql`(select (${at}::timestamptz at time zone timezone)::date - date '2000-01-01' from settings)`;
  const subs = (condition: SQL) => sql`affiliate_figures f
    where f.affiliate_id = ${affiliate_id} and f.day = ${today} and f.clicks > 0 and ${condition}`;
  const isNew = sql`${sub} <> '' and not exists (select from ${subs(sql`f.sub = ${sub}`)})`;
  const taken = sql`(select count(distinct f.sub) from ${subs(sql`f.sub not in ('', ${otherSub})`)})`;
  const visit = (day: SQL) => sql`insert into affiliate_clicks
      (ref, affiliate_id, product_id, target, at, visitor, sub, counted_on)
    select ${ref}, ${affiliate_id}::bigint, ${product_id}::bigint, ${target}, ${at}::timestamptz, ${visitor}, l.sub,
           ${day} from link l`;
  return [
    raw(sql`select pg_advisory_xact_lock(hashtextextended(${`subs:${affiliate_id}`}, 0))
      where ${isNew} and ${taken} < ${mostSubs}`),
    raw(sql`with link as (
        select case when ${isNew} and ${taken} >= ${mostSubs} then ${otherSub} else ${sub} end as sub
      ), counted as (
        ${visit(today)} on conflict do nothing returning ref
      )
      ${visit(sql`null`)} where not exists (select from counted)`),
  ];
}
