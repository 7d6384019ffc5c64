-- Adds all commissions of an order to sale_commissions when the order enters a paid status, and
-- removes them when it leaves the paid statuses. An order in a paid status is never erased.
CREATE OR REPLACE FUNCTION svc_roll_up_sale_commissions() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_sign int := (NEW.deleted_at IS NULL AND svc_is_paid(NEW.status))::int
    - (OLD.deleted_at IS NULL AND svc_is_paid(OLD.status))::int;
BEGIN
  IF v_sign = 0 THEN
    RETURN NULL;
  END IF;
  INSERT INTO sale_commissions AS s (affiliate_id, period, key, slot, amount)
  SELECT e.affiliate_id, p.period, p.key, NEW.id % 8, v_sign * sum(c.commission)
    FROM commissions c
    CROSS JOIN LATERAL (VALUES (0), (c.affiliate_id)) e (affiliate_id)
    CROSS JOIN LATERAL (VALUES
      ('all', 0),
      ('day', (NEW.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01')
    ) p (period, key)
   WHERE c.order_id = NEW.id AND c.deleted_at IS NULL AND c.status <> 'cancelled'
   GROUP BY 1, 2, 3
  HAVING sum(c.commission) <> 0
   ORDER BY 1, 2, 3
  ON CONFLICT (affiliate_id, period, key, slot) DO UPDATE SET amount = s.amount + excluded.amount;
  RETURN NULL;
END $$;
