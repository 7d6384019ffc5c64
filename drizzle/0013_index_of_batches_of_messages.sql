-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_batch" ON "messages" USING btree ("batch") WHERE "messages"."batch" is not null and "messages"."status" = 'queued';