ALTER TABLE "payable_claims" ADD COLUMN "earlier_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_refunds" ADD COLUMN "paid_by_hand_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "unique_code_largest" integer DEFAULT 999 NOT NULL;