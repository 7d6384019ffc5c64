-- The store's one row of settings.
INSERT INTO settings DEFAULT VALUES;
--> statement-breakpoint
-- Triggers run under plans that are kept: to plan their statements for each row's values takes longer than
-- to run them.
--
-- Keeps order_rollups and product_days equal to the orders: what an order was is taken out, what it is now is added,
-- in the change's own transaction. Rows are locked in one order, so that parallel changes don't
-- deadlock.
CREATE FUNCTION svc_roll_up_order() RETURNS trigger
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
--> statement-breakpoint
CREATE TRIGGER orders_roll_up AFTER INSERT OR UPDATE OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION svc_roll_up_order();
--> statement-breakpoint
-- Keeps the total of a list whose records leave it when they are deleted, anonymised and the like.
CREATE FUNCTION svc_count_listed(p_list text, p_id bigint, p_was boolean, p_is boolean) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF p_was <> p_is THEN
    INSERT INTO list_totals AS t VALUES (p_list, p_id % 8, p_is::int - p_was::int)
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION svc_count_product() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_count_listed('products', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL, TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_count AFTER INSERT OR UPDATE OF deleted_at OR DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION svc_count_product();
--> statement-breakpoint
-- Writes back what became of the deliveries leased under a token; a lease that was lost meanwhile
-- counts for nothing. A result without a status only gives its lease back. Each finished attempt is a
-- row of its webhook's log: its id comes from the webhook's counter, whose row stays locked until the
-- commit, so that ids become visible in their order and a reader never skips one. The counters are
-- locked in ascending order, so that parallel calls don't deadlock.
CREATE FUNCTION svc_record_deliveries(p_token uuid, p_results jsonb, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH live AS (
    UPDATE outbox o SET
      lease_token = NULL,
      lease_until = NULL,
      attempts = o.attempts + (r.status IS NOT NULL)::int,
      next_attempt_at = coalesce(r.next_attempt_at, o.next_attempt_at),
      delivered_at = CASE WHEN r.status = 'success' THEN p_now END
    FROM ROWS FROM (jsonb_to_recordset(p_results) AS (
           id bigint, status text, code int, milliseconds int, error text, answer text,
           sent_at bigint, signature text, next_attempt_at timestamptz
         )) WITH ORDINALITY AS r
    WHERE o.id = r.id AND o.lease_token = p_token
    RETURNING o.webhook_id, o.event, o.attempts, r.*
  ), finished AS (
    SELECT *, row_number() OVER (PARTITION BY webhook_id ORDER BY ordinality) AS n
      FROM live WHERE status IS NOT NULL
  ), batch AS (
    SELECT webhook_id, count(*) AS n, bool_or(status = 'success') AS success
      FROM finished GROUP BY webhook_id
  ), held AS MATERIALIZED (
    SELECT s.webhook_id FROM webhook_states s
     WHERE s.webhook_id IN (SELECT webhook_id FROM batch) ORDER BY s.webhook_id FOR UPDATE
  ), counted AS (
    UPDATE webhook_states s SET
      last_log_id = s.last_log_id + b.n,
      last_success_at = CASE WHEN b.success THEN p_now ELSE s.last_success_at END,
      failing_since = CASE WHEN b.success THEN NULL ELSE coalesce(s.failing_since, p_now) END,
      slot_until = NULL
    FROM held h JOIN batch b USING (webhook_id)
    WHERE s.webhook_id = h.webhook_id
    RETURNING s.webhook_id, s.last_log_id - b.n AS before
  )
  INSERT INTO webhook_log
    (webhook_id, id, outbox_id, event, at, status, code, attempt, milliseconds, error, answer,
     sent_at, signature)
  SELECT webhook_id, c.before + f.n, f.id, f.event, p_now, f.status, f.code, f.attempts,
         f.milliseconds, f.error, f.answer, f.sent_at, f.signature
    FROM finished f JOIN counted c USING (webhook_id);
END $$;

--> statement-breakpoint
-- Keeps the number of grants, and of the active ones when they end.
CREATE FUNCTION svc_count_access() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_count_listed('access_grants', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL, TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL);
  INSERT INTO access_ends AS e (day, slot, grants)
  SELECT coalesce((c.end_active AT TIME ZONE 'UTC')::date - date '2000-01-01', 2147483647),
         c.id % 8, sum(c.sign)
    FROM (
      SELECT -1 AS sign, OLD.id, OLD.end_active
       WHERE TG_OP <> 'INSERT' AND OLD.status = 'active' AND OLD.deleted_at IS NULL
      UNION ALL
      SELECT 1, NEW.id, NEW.end_active
       WHERE TG_OP <> 'DELETE' AND NEW.status = 'active' AND NEW.deleted_at IS NULL
    ) c
   GROUP BY 1, 2 HAVING sum(c.sign) <> 0 ORDER BY 1, 2
  ON CONFLICT (day, slot) DO UPDATE SET grants = e.grants + excluded.grants;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER access_grants_count
  AFTER INSERT OR UPDATE OF deleted_at, status, end_active OR DELETE ON access_grants
  FOR EACH ROW EXECUTE FUNCTION svc_count_access();
--> statement-breakpoint
-- Keeps the totals of the lists that can be had by status, once a statement. The rows of one order share
-- a slot, and totals are locked in one order, so that parallel orders seldom meet.
CREATE FUNCTION svc_count_by_status() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_totals AS t
    SELECT TG_TABLE_NAME || ':' || r.status, svc_total_slot(to_jsonb(r)), count(*)
      FROM new_rows r GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_totals AS t
    SELECT TG_TABLE_NAME || ':' || r.status, svc_total_slot(to_jsonb(r)), -count(*)
      FROM old_rows r GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  ELSE
    INSERT INTO list_totals AS t
    SELECT TG_TABLE_NAME || ':' || c.status, c.slot, sum(c.sign)
      FROM (
        SELECT -1 AS sign, r.status, svc_total_slot(to_jsonb(r)) AS slot FROM old_rows r
        UNION ALL
        SELECT 1, r.status, svc_total_slot(to_jsonb(r)) FROM new_rows r
      ) c
     GROUP BY c.status, c.slot HAVING sum(c.sign) <> 0 ORDER BY 1, 2
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION svc_total_slot(p_row jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE
RETURN coalesce((p_row ->> 'order_id')::bigint, (p_row ->> 'id')::bigint) % 8;
--> statement-breakpoint
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY[
    'users', 'licenses', 'reminders', 'confirmations', 'payouts', 'unexpected_payments',
    'bank_mutations', 'messages'
  ] LOOP
    EXECUTE format('CREATE TRIGGER %1$s_count_inserted AFTER INSERT ON %1$s
      REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION svc_count_by_status()', v_table);
    EXECUTE format('CREATE TRIGGER %1$s_count_updated AFTER UPDATE ON %1$s
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION svc_count_by_status()', v_table);
    EXECUTE format('CREATE TRIGGER %1$s_count_deleted AFTER DELETE ON %1$s
      REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION svc_count_by_status()', v_table);
  END LOOP;
END $$;
--> statement-breakpoint
-- Keeps the number of attempts in each webhook's log, by status: of all time and of each day. Who
-- writes to a log holds its counter.
CREATE FUNCTION svc_count_attempts() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO list_totals AS t
  SELECT 'webhook_log:' || webhook_id || ':' || status, 0, v_sign * count(*)
    FROM changed_rows GROUP BY webhook_id, status ORDER BY 1
  ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  INSERT INTO webhook_days AS d (webhook_id, day, status, attempts)
  SELECT r.webhook_id, (r.at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01',
         r.status, v_sign * count(*)
    FROM changed_rows r
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (webhook_id, day, status) DO UPDATE SET attempts = d.attempts + excluded.attempts;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_log_count_inserted AFTER INSERT ON webhook_log
  REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION svc_count_attempts();
--> statement-breakpoint
CREATE TRIGGER webhook_log_count_deleted AFTER DELETE ON webhook_log
  REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION svc_count_attempts();
--> statement-breakpoint
-- Keeps affiliate_sales equal to the orders that count as sales of an affiliate, as svc_roll_up_order
-- does with order_rollups. Two slots will do: only orders of one affiliate meet, and a ranking reads all.
CREATE FUNCTION svc_roll_up_sale() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
      OLD.grand_total, OLD.refunded_total, OLD.deleted_at IS NULL)
    IS NOT DISTINCT FROM (NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
      NEW.grand_total, NEW.refunded_total, NEW.deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_sales AS s (period, key, product_id, affiliate_id, slot, orders, quantity,
      grand_total, refunded_total)
  SELECT p.period, p.key, q.product_id, c.affiliate_id, c.id % 2, sum(c.sign),
         sum(c.sign * c.quantity), sum(c.sign * c.grand_total), sum(c.sign * c.refunded_total)
    FROM (
      SELECT -1 AS sign, OLD.id, OLD.status, OLD.product_id, OLD.affiliate_id, OLD.quantity,
             OLD.grand_total, OLD.refunded_total, OLD.created_at, OLD.deleted_at
       WHERE TG_OP <> 'INSERT'
      UNION ALL
      SELECT 1, NEW.id, NEW.status, NEW.product_id, NEW.affiliate_id, NEW.quantity,
             NEW.grand_total, NEW.refunded_total, NEW.created_at, NEW.deleted_at
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
    refunded_total = s.refunded_total + excluded.refunded_total;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_roll_up_sale AFTER INSERT OR UPDATE OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION svc_roll_up_sale();
--> statement-breakpoint
-- Keeps affiliate_days equal to the orders that count for affiliates, as svc_roll_up_order does with
-- order_rollups.
CREATE FUNCTION svc_roll_up_affiliate_day() RETURNS trigger
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
--> statement-breakpoint
CREATE TRIGGER orders_roll_up_affiliate_day AFTER INSERT OR UPDATE OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION svc_roll_up_affiliate_day();
--> statement-breakpoint
-- Keeps the number of subscriptions that are stored as active.
CREATE FUNCTION svc_count_subscription() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_count_listed('subscriptions:active', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.status = 'active', TG_OP <> 'DELETE' AND NEW.status = 'active');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count AFTER INSERT OR UPDATE OF status OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION svc_count_subscription();
--> statement-breakpoint
-- What commissions were (sign -1) and are (1), those of them that count.
CREATE FUNCTION svc_changed_commissions(p_before commissions[], p_after commissions[])
RETURNS TABLE (
  sign int, order_id bigint, product_id bigint, affiliate_id bigint, tier int, kind text,
  commission bigint, hold_until timestamptz, rolled text, day int
)
LANGUAGE sql STABLE AS $$
  SELECT c.sign, c.order_id, c.product_id, c.affiliate_id, c.tier, c.kind, c.commission, c.hold_until,
         CASE WHEN c.paid_at IS NOT NULL THEN 'paid' WHEN c.status = 'added' THEN 'unpaid'
              ELSE c.status END,
         (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01'
    FROM (
      SELECT -1 AS sign, b.* FROM unnest(p_before) b
      UNION ALL
      SELECT 1, a.* FROM unnest(p_after) a
    ) c
   WHERE c.deleted_at IS NULL
$$;
--> statement-breakpoint
-- Keeps commission_rollups, commission_days and sale_commissions equal to the commissions: once a
-- statement, since a payout changes many.
CREATE FUNCTION svc_roll_up_commissions() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_before commissions[];
  v_after commissions[];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT array_agg(ROW(o.*)::commissions) INTO v_before FROM old_rows o;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT array_agg(ROW(n.*)::commissions) INTO v_after FROM new_rows n;
  END IF;
  INSERT INTO commission_rollups AS r (dimension, key, status, slot, commissions, sales, amount)
  SELECT d.dimension, d.key, c.rolled, c.order_id % 8, sum(c.sign),
         sum(c.sign * (c.kind = 'sale')::int), sum(c.sign * c.commission)
    FROM svc_changed_commissions(v_before, v_after) c
    CROSS JOIN LATERAL (VALUES
      ('store', 0),
      ('day', c.day),
      ('product', c.product_id),
      ('affiliate', c.affiliate_id),
      ('hold', CASE WHEN c.rolled = 'unpaid'
                 THEN (c.hold_until AT TIME ZONE 'UTC')::date - date '2000-01-01' END)
    ) d (dimension, key)
   WHERE d.key IS NOT NULL
   GROUP BY d.dimension, d.key, c.rolled, c.order_id % 8
  HAVING (sum(c.sign), sum(c.sign * (c.kind = 'sale')::int), sum(c.sign * c.commission)) <> (0, 0, 0)
   ORDER BY d.dimension, d.key, c.rolled, c.order_id % 8
  ON CONFLICT (dimension, key, status, slot) DO UPDATE SET
    commissions = r.commissions + excluded.commissions,
    sales = r.sales + excluded.sales,
    amount = r.amount + excluded.amount;
  INSERT INTO commission_days AS d
    (affiliate_id, day, product_id, tier, status, slot, sales, amount)
  SELECT c.affiliate_id, c.day, c.product_id, c.tier, c.rolled, c.order_id % 8,
         sum(c.sign * (c.kind = 'sale')::int), sum(c.sign * c.commission)
    FROM svc_changed_commissions(v_before, v_after) c
   GROUP BY 1, 2, 3, 4, 5, 6
  HAVING (sum(c.sign * (c.kind = 'sale')::int), sum(c.sign * c.commission)) <> (0, 0)
   ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (affiliate_id, day, product_id, tier, status, slot) DO UPDATE SET
    sales = d.sales + excluded.sales,
    amount = d.amount + excluded.amount;
  INSERT INTO sale_commissions AS s (affiliate_id, period, key, slot, amount)
  SELECT e.affiliate_id, p.period, p.key, o.id % 8, sum(c.sign * c.commission)
    FROM svc_changed_commissions(v_before, v_after) c
    JOIN orders o ON o.id = c.order_id
    CROSS JOIN LATERAL (VALUES (0), (c.affiliate_id)) e (affiliate_id)
    CROSS JOIN LATERAL (VALUES
      ('all', 0),
      ('day', (o.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01')
    ) p (period, key)
   WHERE c.rolled <> 'cancelled' AND o.deleted_at IS NULL
     AND svc_is_paid(o.status)
   GROUP BY 1, 2, 3, 4
  HAVING sum(c.sign * c.commission) <> 0
   ORDER BY 1, 2, 3, 4
  ON CONFLICT (affiliate_id, period, key, slot) DO UPDATE SET amount = s.amount + excluded.amount;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER commissions_roll_up_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION svc_roll_up_commissions();
--> statement-breakpoint
CREATE TRIGGER commissions_roll_up_updated AFTER UPDATE ON commissions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION svc_roll_up_commissions();
--> statement-breakpoint
CREATE TRIGGER commissions_roll_up_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION svc_roll_up_commissions();
--> statement-breakpoint
-- Brings into sale_commissions all that an order pays when it comes into a paid status, and takes it
-- out when it leaves them. One that is in such a status is never erased.
CREATE FUNCTION svc_roll_up_sale_commissions() RETURNS trigger
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
--> statement-breakpoint
CREATE TRIGGER orders_roll_up_sale_commissions AFTER UPDATE OF status, deleted_at ON orders
  FOR EACH ROW EXECUTE FUNCTION svc_roll_up_sale_commissions();
--> statement-breakpoint
-- An order whose commissions were paid is not erased.
CREATE FUNCTION svc_keep_paid_commission() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_guard(OLD.paid_at IS NULL, 'order_not_erasable');
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER commissions_keep_paid BEFORE DELETE ON commissions
  FOR EACH ROW EXECUTE FUNCTION svc_keep_paid_commission();
