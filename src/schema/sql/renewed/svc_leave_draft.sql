-- Takes a commission out of its draft of a payout run if a worker of version 0.0.0 pays or cancels it: it knows no drafts.
CREATE OR REPLACE FUNCTION svc_leave_draft() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE payout_lines SET moves = moves + 1 WHERE id = NEW.payout_line_id AND status = 'draft';
  NEW.payout_line_id := NULL;
  RETURN NEW;
END $$;
