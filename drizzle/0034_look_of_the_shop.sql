ALTER TABLE "settings" ADD COLUMN "shop_logo_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_color" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_imprint_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_terms_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_privacy_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_contact_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_phone" text DEFAULT 'optional' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_postal_code" text DEFAULT 'optional' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_frame_sites" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_shop_phone" CHECK ("settings"."shop_phone" in ('required', 'optional', 'off')) NOT VALID;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_shop_postal_code" CHECK ("settings"."shop_postal_code" in ('required', 'optional', 'off')) NOT VALID;