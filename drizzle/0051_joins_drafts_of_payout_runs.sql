CREATE FUNCTION svc_follow_draft() RETURNS trigger
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
--> statement-breakpoint
CREATE OR REPLACE TRIGGER commissions_leave_draft BEFORE UPDATE OF status, paid_at ON commissions
  FOR EACH ROW WHEN (NEW.payout_line_id IS NOT NULL AND (NEW.status <> 'added' OR NEW.paid_at IS NOT NULL))
  EXECUTE FUNCTION svc_follow_draft();
--> statement-breakpoint
CREATE TRIGGER commissions_join_draft BEFORE INSERT ON commissions
  FOR EACH ROW WHEN (
    NEW.kind = 'refund-adjustment' AND NEW.status = 'added' AND NOT NEW.held AND NEW.payout_line_id IS NULL
    AND coalesce(NEW.hold_until <= NEW.updated_at, true)
  )
  EXECUTE FUNCTION svc_follow_draft();
--> statement-breakpoint
CREATE TRIGGER commissions_return_to_draft BEFORE UPDATE OF status, paid_at ON commissions
  FOR EACH ROW WHEN (
    NEW.kind <> 'manual' AND NEW.status = 'added' AND NEW.paid_at IS NULL AND NOT NEW.held AND NEW.payout_line_id IS NULL
    AND coalesce(NEW.hold_until <= NEW.updated_at, true)
    AND (OLD.status <> 'added' OR OLD.paid_at IS NOT NULL)
  )
  EXECUTE FUNCTION svc_follow_draft();
