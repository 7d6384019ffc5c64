-- The moment a filter value stands for: an RFC 3339 instant as it is, a plain date as its start in
-- the store's time zone, or with p_end as the start of the next day.
CREATE OR REPLACE FUNCTION svc_day(p_value text, p_end boolean) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF length(p_value) > 10 THEN
    RETURN p_value::timestamptz;
  END IF;
  RETURN (p_value::date + p_end::int)::timestamp AT TIME ZONE (SELECT timezone FROM settings);
END $$;
