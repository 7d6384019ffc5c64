ALTER TABLE "bank_mutations" ALTER COLUMN "amount" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_mutations" ADD COLUMN "unread" text;