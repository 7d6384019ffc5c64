ALTER TABLE "settings" ALTER COLUMN "currency" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency_exponent" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency_exponent" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "currency" DROP NOT NULL;--> statement-breakpoint
-- A new store has no currency until somebody sets it. Every store that was migrated to its end has functions here, and
-- keeps its own.
UPDATE settings SET currency = NULL, currency_exponent = NULL
  WHERE NOT EXISTS (SELECT FROM stored_functions);
