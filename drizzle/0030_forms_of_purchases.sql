CREATE TABLE "purchase_forms" (
	"key" text PRIMARY KEY NOT NULL,
	"order_id" bigint,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"network" text NOT NULL,
	"link_generation" integer DEFAULT 0,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "purchase_forms" ADD CONSTRAINT "purchase_forms_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_forms_order" ON "purchase_forms" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "purchase_forms_email" ON "purchase_forms" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "purchase_forms_network" ON "purchase_forms" USING btree ("network","created_at");