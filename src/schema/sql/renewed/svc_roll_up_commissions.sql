-- Keeps commission_rollups, commission_days, sale_commissions and affiliate_figures equal to the commissions, once for each
-- statement, since a payout changes many rows. Adding commissions to a draft of a payout run changes no total; paying them
-- changes no earnings. Totals that are only read as sums over their slots change in one slot, so that a payout run changes
-- few rows.
CREATE OR REPLACE FUNCTION svc_roll_up_commissions() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_timezone text := (SELECT timezone FROM settings);
  v_changes svc_commission_change[] := '{}';
  v_changed boolean;
  v_earned boolean := true;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT bool_or(
             (n.affiliate_id, n.product_id, n.commission, n.status, n.hold_until, n.held, n.paid_at, n.deleted_at, n.created_at)
               IS DISTINCT FROM
             (o.affiliate_id, o.product_id, o.commission, o.status, o.hold_until, o.held, o.paid_at, o.deleted_at, o.created_at)
           ), bool_or(
             (n.order_id, n.affiliate_id, n.commission, n.paid_at IS NULL AND n.status = 'cancelled', n.deleted_at IS NULL)
               IS DISTINCT FROM
             (o.order_id, o.affiliate_id, o.commission, o.paid_at IS NULL AND o.status = 'cancelled', o.deleted_at IS NULL)
           )
      INTO v_changed, v_earned
      FROM new_rows n JOIN old_rows o USING (id);
    IF v_changed IS NOT TRUE THEN
      RETURN NULL;
    END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    v_changes := ARRAY(
      SELECT svc_change_of(-1, ROW(o.*)::commissions, v_timezone) FROM old_rows o WHERE o.deleted_at IS NULL
    );
  END IF;
  IF TG_OP <> 'DELETE' THEN
    v_changes := v_changes || ARRAY(
      SELECT svc_change_of(1, ROW(n.*)::commissions, v_timezone) FROM new_rows n WHERE n.deleted_at IS NULL
    );
  END IF;
  WITH c AS MATERIALIZED (
    SELECT sign, affiliate_id, product_id, tier, day, rolled, order_id % 8 AS slot, sale, commission,
           CASE WHEN rolled = 'unpaid'
             THEN (hold_until AT TIME ZONE 'UTC')::date - date '2000-01-01' END AS hold
      FROM unnest(v_changes)
  ), days AS (
    INSERT INTO commission_days AS d
      (affiliate_id, day, product_id, tier, status, slot, sales, amount)
    SELECT affiliate_id, day, product_id, tier, rolled, min(slot), sum(sign * sale), sum(sign * commission)
      FROM c
     GROUP BY 1, 2, 3, 4, 5
    HAVING (sum(sign * sale), sum(sign * commission)) <> (0, 0)
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (affiliate_id, day, product_id, tier, status, slot) DO UPDATE SET
      sales = d.sales + excluded.sales,
      amount = d.amount + excluded.amount
  )
  INSERT INTO commission_rollups AS r (dimension, key, status, slot, commissions, sales, amount)
  SELECT CASE WHEN grouping(day) = 0 THEN 'day'
              WHEN grouping(product_id) = 0 THEN 'product'
              WHEN grouping(affiliate_id) = 0 THEN 'affiliate'
              WHEN grouping(hold) = 0 THEN 'hold'
              ELSE 'store' END,
         coalesce(day, product_id, affiliate_id, hold, 0),
         rolled, min(slot), sum(sign), sum(sign * sale), sum(sign * commission)
    FROM c
   GROUP BY rolled, GROUPING SETS ((), (day), (product_id), (affiliate_id), (hold))
  HAVING (sum(sign), sum(sign * sale), sum(sign * commission)) <> (0, 0, 0)
     AND (grouping(hold) = 1 OR hold IS NOT NULL)
   ORDER BY 1, 2, 3
  ON CONFLICT (dimension, key, status, slot) DO UPDATE SET
    commissions = r.commissions + excluded.commissions,
    sales = r.sales + excluded.sales,
    amount = r.amount + excluded.amount;
  IF NOT v_earned THEN
    RETURN NULL;
  END IF;
  INSERT INTO sale_commissions AS s (affiliate_id, period, key, slot, amount)
  SELECT e.affiliate_id, p.period, p.key, o.id % 8, sum(c.sign * c.commission)
    FROM unnest(v_changes) c
    JOIN orders o ON o.id = c.order_id
    CROSS JOIN LATERAL (VALUES (0), (c.affiliate_id)) e (affiliate_id)
    CROSS JOIN LATERAL (VALUES
      ('all', 0),
      ('day', (o.created_at AT TIME ZONE v_timezone)::date - date '2000-01-01')
    ) p (period, key)
   WHERE c.rolled <> 'cancelled' AND o.deleted_at IS NULL
     AND svc_is_paid(o.status)
   GROUP BY 1, 2, 3, 4
  HAVING sum(c.sign * c.commission) <> 0
   ORDER BY 1, 2, 3, 4
  ON CONFLICT (affiliate_id, period, key, slot) DO UPDATE SET amount = s.amount + excluded.amount;
  INSERT INTO affiliate_figures AS f (affiliate_id, day, sub, product_id, target, slot, commission)
  SELECT o.affiliate_id,
         (o.created_at AT TIME ZONE v_timezone)::date - date '2000-01-01',
         coalesce(o.attribution ->> 'sub', ''), o.product_id, coalesce(o.attribution ->> 'target', ''),
         o.id % 8, sum(c.sign * c.commission)
    FROM unnest(v_changes) c
    JOIN orders o ON o.id = c.order_id AND o.affiliate_id = c.affiliate_id
   WHERE c.rolled <> 'cancelled' AND o.deleted_at IS NULL AND svc_is_paid(o.status)
     AND o.attribution ? 'target'
   GROUP BY 1, 2, 3, 4, 5, 6
  HAVING sum(c.sign * c.commission) <> 0
   ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (affiliate_id, day, sub, product_id, target, slot)
    DO UPDATE SET commission = f.commission + excluded.commission;
  RETURN NULL;
END $$;
