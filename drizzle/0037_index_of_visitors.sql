-- statement by statement
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "affiliate_clicks_visitor" ON "affiliate_clicks" USING btree ("visitor","counted_on","affiliate_id","product_id","target","sub") WHERE "affiliate_clicks"."counted_on" is not null;
