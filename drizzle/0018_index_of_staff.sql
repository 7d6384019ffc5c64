-- statement by statement
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_staff_role" ON "users" USING btree ("staff_role_id") WHERE "users"."staff_role_id" is not null;
