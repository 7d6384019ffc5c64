-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_payout_line" ON "commissions" USING btree ("payout_line_id") WHERE "commissions"."payout_line_id" is not null;
