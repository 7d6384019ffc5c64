-- Keeps the number of attempts in each webhook's log, by status: of all time and of each day.
-- Writers to a log hold its counter's lock.
CREATE OR REPLACE FUNCTION svc_count_attempts() RETURNS trigger
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
