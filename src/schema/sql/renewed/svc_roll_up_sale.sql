-- Keeps affiliate_sales equal to the orders that count as sales of an affiliate, as
-- svc_roll_up_order does with order_rollups. Two slots are enough, since only orders of one
-- affiliate meet, and a ranking reads all slots.
CREATE OR REPLACE FUNCTION svc_roll_up_sale() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
      OLD.grand_total, OLD.refunded_total, OLD.attribution, OLD.deleted_at IS NULL)
    IS NOT DISTINCT FROM (NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
      NEW.grand_total, NEW.refunded_total, NEW.attribution, NEW.deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_sales AS s (period, key, product_id, affiliate_id, slot, orders, quantity,
      grand_total, refunded_total, link_orders)
  SELECT p.period, p.key, q.product_id, c.affiliate_id, c.id % 2, sum(c.sign),
         sum(c.sign * c.quantity), sum(c.sign * c.grand_total), sum(c.sign * c.refunded_total),
         sum(c.sign * coalesce(c.attribution ->> 'source' = 'link' AND c.attribution ? 'target', false)::int)
    FROM (
      SELECT -1 AS sign, OLD.id, OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
             OLD.grand_total, OLD.refunded_total, OLD.attribution, OLD.created_at, OLD.deleted_at
       WHERE TG_OP <> 'INSERT'
      UNION ALL
      SELECT 1, NEW.id, NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
             NEW.grand_total, NEW.refunded_total, NEW.attribution, NEW.created_at, NEW.deleted_at
       WHERE TG_OP <> 'DELETE'
    ) c
    CROSS JOIN LATERAL (
      SELECT (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date AS date
    ) day
    CROSS JOIN LATERAL (
      SELECT 12 * (extract(year FROM day.date)::int - 2000) + extract(month FROM day.date)::int - 1
    ) month (number)
    CROSS JOIN LATERAL (VALUES
      ('all', 0), ('month', month.number), ('day', day.date - date '2000-01-01')
    ) p (period, key)
    CROSS JOIN LATERAL (VALUES (0), (c.product_id)) q (product_id)
   WHERE c.affiliate_id IS NOT NULL AND c.deleted_at IS NULL
     AND svc_is_paid(c.status)
   GROUP BY p.period, q.product_id, p.key, c.affiliate_id, c.id % 2
   ORDER BY p.period, q.product_id, p.key, c.affiliate_id, c.id % 2
  ON CONFLICT (period, product_id, key, affiliate_id, slot) DO UPDATE SET
    orders = s.orders + excluded.orders,
    quantity = s.quantity + excluded.quantity,
    grand_total = s.grand_total + excluded.grand_total,
    refunded_total = s.refunded_total + excluded.refunded_total,
    link_orders = s.link_orders + excluded.link_orders;
  RETURN NULL;
END $$;
