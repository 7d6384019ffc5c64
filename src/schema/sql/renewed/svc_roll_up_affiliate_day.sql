-- Keeps affiliate_days equal to the orders that count for affiliates, as svc_roll_up_order does with
-- order_rollups.
CREATE OR REPLACE FUNCTION svc_roll_up_affiliate_day() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO affiliate_days AS d (affiliate_id, day, slot, orders, paid_orders, revenue)
  SELECT c.affiliate_id,
         (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01',
         c.id % 8, sum(c.sign), sum(c.sign * c.paid),
         sum(c.sign * c.paid * (c.grand_total - c.refunded_total))
    FROM (
      SELECT *, svc_is_paid(status)::int AS paid
        FROM (
          SELECT -1 AS sign, OLD.id, OLD.status, OLD.affiliate_id, OLD.grand_total,
                 OLD.refunded_total, OLD.created_at
           WHERE TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL
          UNION ALL
          SELECT 1, NEW.id, NEW.status, NEW.affiliate_id, NEW.grand_total,
                 NEW.refunded_total, NEW.created_at
           WHERE TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL
        ) changed
       WHERE affiliate_id IS NOT NULL
    ) c
   GROUP BY 1, 2, 3
  HAVING (sum(c.sign), sum(c.sign * c.paid),
          sum(c.sign * c.paid * (c.grand_total - c.refunded_total))) <> (0, 0, 0)
   ORDER BY 1, 2, 3
  ON CONFLICT (affiliate_id, day, slot) DO UPDATE SET
    orders = d.orders + excluded.orders,
    paid_orders = d.paid_orders + excluded.paid_orders,
    revenue = d.revenue + excluded.revenue;
  RETURN NULL;
END $$;
