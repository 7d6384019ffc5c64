-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "commissions_flagged" ON "commissions" USING btree ("id") WHERE "commissions"."flags" <> '{}' and "commissions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_bank_digits" ON "users" USING btree (ltrim(regexp_replace("bank_info", '[^0-9]', '', 'g'), '0')) WHERE "users"."bank_info" <> '';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_mailbox" ON "users" USING btree ((replace(regexp_replace(split_part("email", '@', 1), '[+].*$', ''), '.', '') || '@'
    || replace(split_part("email", '@', 2), 'googlemail.com', 'gmail.com')));
