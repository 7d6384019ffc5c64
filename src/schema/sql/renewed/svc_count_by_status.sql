-- Keeps the totals of lists by status, once for each statement. The rows of one order share a slot,
-- and totals are locked in one order, so that parallel orders seldom meet.
CREATE OR REPLACE FUNCTION svc_count_by_status() RETURNS trigger
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
