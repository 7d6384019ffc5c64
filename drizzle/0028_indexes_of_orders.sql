-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_coupon" ON "orders" USING btree ("coupon_id","id") WHERE "orders"."coupon_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_gateway" ON "orders" USING btree ("payment_gateway","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "risks_trusted" ON "risks" USING btree ("affiliate_id") WHERE "risks"."trusted";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "risks_pair" ON "risks" USING btree ("affiliate_id","other_id") WHERE "risks"."kind" in ('shared-bank', 'other-account');
