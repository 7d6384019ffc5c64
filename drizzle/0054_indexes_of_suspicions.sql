-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_user_affiliate" ON "orders" USING btree ("user_id","affiliate_id","id") WHERE "orders"."affiliate_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_phone_end" ON "users" USING btree (right(regexp_replace(substring(normalize("phone", NFKC) from '[+0-9][^[:alpha:]#*,\u003B]*'), '[^0-9]', '', 'g'), 7)) WHERE "users"."phone" <> '';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_account" ON "users" USING btree (coalesce(
    ltrim(case when "bank_account" is null
      then substring(regexp_replace(regexp_replace(normalize(coalesce("bank_account" ->> 'number', "bank_info"), NFKC), '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[-./]', '', 'g') from '[0-9]{8,}')
      else nullif(regexp_replace(regexp_replace(normalize(coalesce("bank_account" ->> 'number', "bank_info"), NFKC), '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[^0-9]', '', 'g'), '') end, '0'),
    lower(substring(normalize(coalesce("bank_account" ->> 'number', "bank_info"), NFKC) from '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+')),
    ltrim(regexp_replace(regexp_replace(normalize(coalesce("bank_account" ->> 'number', "bank_info"), NFKC), '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[^0-9]', '', 'g'), '0'))) WHERE "users"."bank_info" <> '';