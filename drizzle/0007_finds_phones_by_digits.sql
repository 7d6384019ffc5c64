-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_phone_digits" ON "users" USING gin ((regexp_replace("phone", '[^0-9]', '', 'g')) gin_trgm_ops) WHERE "users"."phone" <> '';
