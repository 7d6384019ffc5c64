-- Counts a visit once it has a day: in affiliate_figures, and in affiliate_sales for rankings. A visit that is removed
-- stays counted.
CREATE OR REPLACE FUNCTION svc_roll_up_click() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NEW.counted_on IS NULL OR (TG_OP = 'UPDATE' AND OLD.counted_on IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_figures AS f (affiliate_id, day, sub, product_id, target, slot, clicks)
  VALUES (NEW.affiliate_id, NEW.counted_on, NEW.sub, NEW.product_id, NEW.target, NEW.id % 8, 1)
  ON CONFLICT (affiliate_id, day, sub, product_id, target, slot) DO UPDATE SET clicks = f.clicks + 1;
  INSERT INTO affiliate_sales AS s (period, key, product_id, affiliate_id, slot, orders, quantity,
      grand_total, refunded_total, clicks)
  SELECT p.period, p.key, q.product_id, NEW.affiliate_id, NEW.id % 8, 0, 0, 0, 0, 1
    FROM (SELECT date '2000-01-01' + NEW.counted_on) day (date)
    CROSS JOIN LATERAL (VALUES
      ('all', 0), ('day', NEW.counted_on),
      ('month', 12 * (extract(year FROM day.date)::int - 2000) + extract(month FROM day.date)::int - 1)
    ) p (period, key)
    CROSS JOIN (VALUES (0), (NEW.product_id)) q (product_id)
   ORDER BY p.period, q.product_id, p.key
  ON CONFLICT (period, product_id, key, affiliate_id, slot) DO UPDATE SET clicks = s.clicks + 1;
  RETURN NULL;
END $$;
