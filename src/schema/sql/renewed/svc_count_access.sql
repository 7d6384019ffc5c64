-- Keeps the number of all grants, and the number of active grants by the day on which they end.
CREATE OR REPLACE FUNCTION svc_count_access() RETURNS trigger
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
