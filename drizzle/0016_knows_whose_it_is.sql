CREATE TABLE "store_mark" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"store_id" text NOT NULL,
	"address" text,
	"environment" text,
	"pepper_checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"session_key_checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"backed_up_at" timestamp (3) with time zone,
	CONSTRAINT "store_mark_one_row" CHECK ("store_mark"."id" = 1)
);
