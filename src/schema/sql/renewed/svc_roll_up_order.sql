-- Keeps order_rollups and product_days equal to the orders, in the transaction of each change: the figures of the order
-- before the change are subtracted, and those after it are added. Rows are locked in one order, so that parallel changes
-- don't deadlock. The plans of the statements are generic, because planning them for each row's values takes longer than
-- running them.
CREATE OR REPLACE FUNCTION svc_roll_up_order() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
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
  INSERT INTO product_days AS d (day, product_id, slot, orders, quantity, revenue)
  SELECT (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01',
         c.product_id, c.id % 8, sum(c.sign), sum(c.sign * c.quantity),
         sum(c.sign * (c.grand_total - c.refunded_total))
    FROM (
      SELECT -1 AS sign, OLD.id, OLD.status, OLD.product_id, OLD.quantity, OLD.grand_total,
             OLD.refunded_total, OLD.created_at, OLD.deleted_at
       WHERE TG_OP <> 'INSERT'
      UNION ALL
      SELECT 1, NEW.id, NEW.status, NEW.product_id, NEW.quantity, NEW.grand_total,
             NEW.refunded_total, NEW.created_at, NEW.deleted_at
       WHERE TG_OP <> 'DELETE'
    ) c
   WHERE c.deleted_at IS NULL AND svc_is_paid(c.status)
   GROUP BY 1, 2, 3
  HAVING (sum(c.sign), sum(c.sign * c.quantity), sum(c.sign * (c.grand_total - c.refunded_total)))
         <> (0, 0, 0)
   ORDER BY 1, 2, 3
  ON CONFLICT (day, product_id, slot) DO UPDATE SET
    orders = d.orders + excluded.orders,
    quantity = d.quantity + excluded.quantity,
    revenue = d.revenue + excluded.revenue;
  RETURN NULL;
END $$;
