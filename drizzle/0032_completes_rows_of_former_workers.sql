CREATE FUNCTION svc_complete_user() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NEW.bank_info <> OLD.bank_info AND NEW.bank_account = OLD.bank_account THEN
    NEW.bank_account := NULL;
    NEW.bank_changed_at := NEW.updated_at;
  END IF;
  IF NEW.roles @> '{shop-manager}' THEN
    NEW.staff_role_id := 5;
  ELSIF NEW.staff_role_id = 5 THEN
    NEW.staff_role_id := NULL;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_complete BEFORE UPDATE OF bank_info, roles ON users
  FOR EACH ROW EXECUTE FUNCTION svc_complete_user();
--> statement-breakpoint
CREATE FUNCTION svc_leave_draft() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE payout_lines SET moves = moves + 1 WHERE id = NEW.payout_line_id AND status = 'draft';
  NEW.payout_line_id := NULL;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER commissions_leave_draft BEFORE UPDATE OF status, paid_at ON commissions
  FOR EACH ROW WHEN (NEW.payout_line_id IS NOT NULL AND (NEW.status <> 'added' OR NEW.paid_at IS NOT NULL))
  EXECUTE FUNCTION svc_leave_draft();
