-- Returns the line of a payout run if a worker of version 0.0.0 cancels its payout: it knows no runs.
CREATE OR REPLACE FUNCTION svc_return_line() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH returned AS (
    UPDATE payout_lines SET status = 'returned', account = NULL, tell_at = NULL, result_at = NEW.cancelled_at
     WHERE id = NEW.id AND status IN ('confirmed', 'paid') RETURNING run_id
  ) UPDATE payout_runs r SET version = r.version + 1, updated_at = NEW.cancelled_at
      FROM returned WHERE r.id = returned.run_id;
  RETURN NULL;
END $$;
