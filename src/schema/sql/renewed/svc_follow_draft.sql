-- Keeps payout drafts correct when a worker of version 0.0.0, which knows none, changes commissions. A paid or cancelled one
-- leaves its draft. A payable one joins the draft of its sale's other rows: the share lock waits for a draft that is being
-- written. The conditions of the triggers choose the rows.
CREATE OR REPLACE FUNCTION svc_follow_draft() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_line bigint := NEW.payout_line_id;
BEGIN
  IF v_line IS NOT NULL THEN
    UPDATE payout_lines SET moves = moves + 1 WHERE id = v_line AND status = 'draft';
    NEW.payout_line_id := NULL;
    RETURN NEW;
  END IF;
  SELECT max(payout_line_id) INTO v_line FROM (
    SELECT payout_line_id FROM commissions
     WHERE order_id = NEW.order_id AND id <> NEW.id AND coalesce(parent_id, id) = coalesce(NEW.parent_id, NEW.id)
     ORDER BY id FOR SHARE) sale;
  UPDATE payout_lines SET moves = moves + 1 WHERE id = v_line AND status = 'draft' RETURNING id INTO NEW.payout_line_id;
  RETURN NEW;
END $$;
