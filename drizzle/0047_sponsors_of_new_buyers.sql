CREATE TABLE "buyer_sponsors" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"order_id" bigint
);
--> statement-breakpoint
ALTER TABLE "buyer_sponsors" ADD CONSTRAINT "buyer_sponsors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_sponsors" ADD CONSTRAINT "buyer_sponsors_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "buyer_sponsors_order" ON "buyer_sponsors" USING btree ("order_id");