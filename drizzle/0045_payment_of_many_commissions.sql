CREATE TYPE "svc_commission_change" AS (
	"sign" integer,
	"order_id" bigint,
	"product_id" bigint,
	"affiliate_id" bigint,
	"tier" integer,
	"sale" integer,
	"commission" bigint,
	"hold_until" timestamp with time zone,
	"rolled" text,
	"day" integer
);--> statement-breakpoint
-- Room for the new version of each row of a page, since a payout run changes most of them.
ALTER TABLE "commission_days" SET (fillfactor = 50);
