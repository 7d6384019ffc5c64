-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "access_grants_starting" ON "access_grants" USING btree ("start") WHERE "access_grants"."status" = 'active' and "access_grants"."start" > "access_grants"."updated_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "licenses_expires_at" ON "licenses" USING btree ("expires_at") WHERE "licenses"."status" = 'active';
