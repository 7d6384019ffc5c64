-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_refunds_state" ON "provider_refunds" USING btree ("state","refund_id") WHERE "provider_refunds"."refund_id" is not null;
