ALTER TABLE "settings" ADD COLUMN "states_told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "states_told_user" bigint;
