ALTER TABLE "provider_refunds" ADD COLUMN "paid_by_hand_at" timestamp (3) with time zone;
