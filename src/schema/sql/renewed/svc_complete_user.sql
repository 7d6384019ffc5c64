-- Completes what an older worker writes of a user. Version 0.0.0 knows neither the parts of a bank account nor roles in the
-- console; 0.1.0 does, but like the first it knows no numbers that sign in and no accounts that may end.
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
  IF NEW.phone <> OLD.phone THEN
    DELETE FROM account_phones WHERE user_id = NEW.id;
  END IF;
  IF NEW.status = 'anonymised' THEN
    DELETE FROM account_phones WHERE user_id = NEW.id;
    DELETE FROM account_codes WHERE user_id = NEW.id;
    DELETE FROM new_buyers WHERE user_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
