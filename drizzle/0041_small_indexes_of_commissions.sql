-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_corrections" ON "commissions" USING btree ("parent_id") WHERE "commissions"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_of_payout" ON "commissions" USING btree ("payout_id") WHERE "commissions"."payout_id" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "commissions_parent";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "commissions_payout";
