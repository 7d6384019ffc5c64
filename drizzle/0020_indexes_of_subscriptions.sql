-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_product" ON "subscriptions" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_end_date" ON "subscriptions" USING btree ("end_date","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_resuming" ON "subscriptions" USING btree ("resumes_at") WHERE "subscriptions"."status" = 'paused';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_overdue" ON "subscriptions" USING btree ("next_due") WHERE "subscriptions"."status" = 'active' and "subscriptions"."announced_due" is distinct from "subscriptions"."next_due";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_cancelled" ON "subscriptions" USING btree ("cancelled_at") WHERE "subscriptions"."cancelled_at" is not null;
