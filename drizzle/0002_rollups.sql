-- The store's one row of settings.
INSERT INTO settings DEFAULT VALUES;
--> statement-breakpoint
-- Keeps order_rollups equal to the orders: what an order was is taken out, what it is now is added,
-- in the change's own transaction. Rows are locked in one order, so that parallel changes don't
-- deadlock.
CREATE FUNCTION svc_roll_up_order() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
      OLD.grand_total, OLD.refunded_total, OLD.deleted_at IS NULL)
    IS NOT DISTINCT FROM (NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
      NEW.grand_total, NEW.refunded_total, NEW.deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO order_rollups AS r
    (dimension, key, status, slot, orders, quantity, grand_total, refunded_total)
  SELECT d.dimension, d.key, c.status, c.id % 8, sum(c.sign), sum(c.sign * c.quantity),
         sum(c.sign * c.grand_total), sum(c.sign * c.refunded_total)
    FROM (
      SELECT -1 AS sign, OLD.id, OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
             OLD.grand_total, OLD.refunded_total, OLD.created_at
       WHERE TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL
      UNION ALL
      SELECT 1, NEW.id, NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
             NEW.grand_total, NEW.refunded_total, NEW.created_at
       WHERE TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL
    ) c
    CROSS JOIN LATERAL (VALUES
      ('store', 0),
      ('day', (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01'),
      ('product', c.product_id),
      ('affiliate', c.affiliate_id)
    ) d (dimension, key)
   WHERE d.key IS NOT NULL
   GROUP BY d.dimension, d.key, c.status, c.id % 8
   ORDER BY d.dimension, d.key, c.status, c.id % 8
  ON CONFLICT (dimension, key, status, slot) DO UPDATE SET
    orders = r.orders + excluded.orders,
    quantity = r.quantity + excluded.quantity,
    grand_total = r.grand_total + excluded.grand_total,
    refunded_total = r.refunded_total + excluded.refunded_total;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_roll_up AFTER INSERT OR UPDATE OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION svc_roll_up_order();
--> statement-breakpoint
-- Keeps the total of a list whose records leave it when they are deleted, anonymised and the like.
CREATE FUNCTION svc_count_listed(p_list text, p_id bigint, p_was boolean, p_is boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_was <> p_is THEN
    INSERT INTO list_totals AS t VALUES (p_list, p_id % 8, p_is::int - p_was::int)
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION svc_count_user() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM svc_count_listed('users', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.status <> 'anonymised', TG_OP <> 'DELETE' AND NEW.status <> 'anonymised');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_count AFTER INSERT OR UPDATE OF status OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION svc_count_user();
--> statement-breakpoint
CREATE FUNCTION svc_count_product() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM svc_count_listed('products', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL, TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_count AFTER INSERT OR UPDATE OF deleted_at OR DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION svc_count_product();
