-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_pending" ON "commissions" USING btree ("id") WHERE "commissions"."status" = 'pending' and "commissions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_cancelled" ON "commissions" USING btree ("id") WHERE "commissions"."status" = 'cancelled' and "commissions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_paid_by_hand" ON "commissions" USING btree ("affiliate_id","paid_at") WHERE "commissions"."paid_at" is not null and "commissions"."payout_id" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "commissions_live";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "commissions_status_id";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "commissions_affiliate_paid";
