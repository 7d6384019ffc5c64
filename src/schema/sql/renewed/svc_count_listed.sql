-- Keeps the total of a list whose records leave it when they are deleted, anonymised and the like.
CREATE OR REPLACE FUNCTION svc_count_listed(p_list text, p_id bigint, p_was boolean, p_is boolean) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF p_was <> p_is THEN
    INSERT INTO list_totals AS t VALUES (p_list, p_id % 8, p_is::int - p_was::int)
    ON CONFLICT (list, slot) DO UPDATE SET total = t.total + excluded.total;
  END IF;
END $$;
