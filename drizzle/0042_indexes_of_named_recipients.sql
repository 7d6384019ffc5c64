-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_named" ON "messages" USING btree ("id") WHERE "messages"."recipient_named";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reminders_named" ON "reminders" USING btree ("id") WHERE "reminders"."recipient_named";
