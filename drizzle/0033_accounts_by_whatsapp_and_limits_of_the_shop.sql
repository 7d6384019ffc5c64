CREATE TABLE "account_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"phone" text NOT NULL,
	"hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_codes_purpose" CHECK ("account_codes"."purpose" in ('confirm', 'sign-in'))
);
--> statement-breakpoint
CREATE TABLE "account_phones" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"phone" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "new_buyers" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_links" ADD COLUMN "actor_id" bigint;--> statement-breakpoint
ALTER TABLE "account_links" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "account_sessions" ADD COLUMN "actor_id" bigint;--> statement-breakpoint
ALTER TABLE "account_sessions" ADD COLUMN "fresh_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_unpaid_orders" integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_hourly_orders" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_hold_hours" integer DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "shop_receipt_days" integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "affiliate_sign_up" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account_codes" ADD CONSTRAINT "account_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_phones" ADD CONSTRAINT "account_phones_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "new_buyers" ADD CONSTRAINT "new_buyers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_codes_expires_at" ON "account_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_codes_user" ON "account_codes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_phones_phone" ON "account_phones" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "new_buyers_created_at" ON "new_buyers" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "account_sessions" ADD CONSTRAINT "account_sessions_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;