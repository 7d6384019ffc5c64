-- Completes what a worker of version 0.0.0 writes of a user: it knows neither the parts of a bank account nor roles in the console.
CREATE OR REPLACE FUNCTION svc_complete_user() RETURNS trigger
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
