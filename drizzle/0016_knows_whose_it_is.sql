CREATE TABLE "store_mark" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"store_id" text NOT NULL,
	"address" text,
	"environment" text,
	"pepper_checks" text[] DEFAULT '{}' NOT NULL,
	"session_key_checks" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "store_mark_one_row" CHECK ("store_mark"."id" = 1)
);
