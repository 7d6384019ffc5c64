-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_updated_at" ON "commissions" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "licenses_updated_at" ON "licenses" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "licenses_meta" ON "licenses" USING gin ("meta" jsonb_path_ops) WHERE "licenses"."meta" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_updated_at" ON "orders" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_meta" ON "orders" USING gin ("meta" jsonb_path_ops) WHERE "orders"."meta" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "products_updated_at" ON "products" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "products_meta" ON "products" USING gin ("meta" jsonb_path_ops) WHERE "products"."meta" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_updated_at" ON "subscriptions" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_updated_at" ON "users" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_meta" ON "users" USING gin ("meta" jsonb_path_ops) WHERE "users"."meta" <> '{}'::jsonb;
