ALTER TABLE "settings" ALTER COLUMN "currency" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency_exponent" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "currency_exponent" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "currency" DROP NOT NULL;