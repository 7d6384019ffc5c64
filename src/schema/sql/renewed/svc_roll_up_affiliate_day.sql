-- Keeps affiliate_days and affiliate_figures equal to the orders that count for affiliates, as svc_roll_up_order does
-- with order_rollups. An order is in affiliate_figures once its attribution says which link it came by, if any. Workers of
-- former versions do not say it, so their writes are completed here.
CREATE OR REPLACE FUNCTION svc_roll_up_affiliate_day() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.product_id, OLD.affiliate_id, OLD.attribution,
      OLD.grand_total, OLD.refunded_total, OLD.created_at, OLD.deleted_at IS NULL)
    IS NOT DISTINCT FROM (NEW.status, NEW.product_id, NEW.affiliate_id, NEW.attribution,
      NEW.grand_total, NEW.refunded_total, NEW.created_at, NEW.deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  IF jsonb_typeof(NEW.attribution) = 'object' AND NOT NEW.attribution ? 'target' THEN
    UPDATE orders SET attribution = attribution || '{"target": null, "sub": null}' WHERE id = NEW.id;
  END IF;
  WITH changed AS MATERIALIZED (
    SELECT c.affiliate_id, c.product_id, c.attribution, c.sign, c.sign * p.paid AS paid,
           c.sign * p.paid * (c.grand_total - c.refunded_total) AS revenue,
           c.sign * p.paid * (
             SELECT coalesce(sum(m.commission), 0) FROM commissions m
              WHERE m.order_id = c.id AND m.affiliate_id = c.affiliate_id
                AND m.status <> 'cancelled' AND m.deleted_at IS NULL) AS commission,
           (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01' AS day,
           c.id % 8 AS slot
      FROM (
        SELECT -1 AS sign, OLD.* WHERE TG_OP <> 'INSERT'
        UNION ALL
        SELECT 1, NEW.* WHERE TG_OP <> 'DELETE'
      ) c
      CROSS JOIN LATERAL (SELECT svc_is_paid(c.status)::int) p (paid)
     WHERE c.affiliate_id IS NOT NULL AND c.deleted_at IS NULL
  ), days AS (
    INSERT INTO affiliate_days AS d (affiliate_id, day, slot, orders, paid_orders, revenue)
    SELECT affiliate_id, day, slot, sum(sign), sum(paid), sum(revenue)
      FROM changed
     GROUP BY 1, 2, 3
    HAVING (sum(sign), sum(paid), sum(revenue)) <> (0, 0, 0)
     ORDER BY 1, 2, 3
    ON CONFLICT (affiliate_id, day, slot) DO UPDATE SET
      orders = d.orders + excluded.orders,
      paid_orders = d.paid_orders + excluded.paid_orders,
      revenue = d.revenue + excluded.revenue
  )
  INSERT INTO affiliate_figures AS f (affiliate_id, day, sub, product_id, target, slot, orders, paid,
      revenue, commission)
  SELECT affiliate_id, day, coalesce(attribution ->> 'sub', ''), product_id,
         coalesce(attribution ->> 'target', ''), slot, sum(sign), sum(paid), sum(revenue),
         sum(commission)
    FROM changed
   WHERE attribution ? 'target'
   GROUP BY 1, 2, 3, 4, 5, 6
  HAVING (sum(sign), sum(paid), sum(revenue), sum(commission)) <> (0, 0, 0, 0)
   ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (affiliate_id, day, sub, product_id, target, slot) DO UPDATE SET
    orders = f.orders + excluded.orders,
    paid = f.paid + excluded.paid,
    revenue = f.revenue + excluded.revenue,
    commission = f.commission + excluded.commission;
  RETURN NULL;
END $$;
