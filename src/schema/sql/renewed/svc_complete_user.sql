-- Completes what an older worker writes of a user. Version 0.0.0 knows neither the parts of a bank account nor roles in the
-- console; 0.1.0 does, but like the first it knows no numbers that sign in and no accounts that may end. An erasure removes
-- what version 0.0.0 doesn't know. A change of a payee is counted in their draft lines, since it may change what a run pays.
-- Links and codes are good only as long as their person has the address or phone that they were sent to. They stay stored,
-- since they count towards the hourly limits; a code with five tries is used up.
CREATE OR REPLACE FUNCTION svc_complete_user() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NEW.bank_info <> OLD.bank_info AND NEW.bank_account = OLD.bank_account THEN
    NEW.bank_account := NULL;
    NEW.bank_changed_at := NEW.updated_at;
  END IF;
  IF (NEW.bank_info, NEW.bank_account, NEW.status) IS DISTINCT FROM (OLD.bank_info, OLD.bank_account, OLD.status) THEN
    UPDATE payout_lines SET moves = moves + 1 WHERE affiliate_id = NEW.id AND status = 'draft';
  END IF;
  IF NEW.roles @> '{shop-manager}' THEN
    NEW.staff_role_id := 5;
  ELSIF NEW.staff_role_id = 5 THEN
    NEW.staff_role_id := NULL;
  END IF;
  IF NEW.phone <> OLD.phone THEN
    DELETE FROM account_phones WHERE user_id = NEW.id;
    UPDATE account_codes SET tries = 5 WHERE user_id = NEW.id AND tries < 5;
  END IF;
  IF NEW.email IS DISTINCT FROM OLD.email THEN
    UPDATE account_links SET used_at = NEW.updated_at WHERE user_id = NEW.id AND used_at IS NULL;
    UPDATE console_links SET used_at = NEW.updated_at WHERE user_id = NEW.id AND used_at IS NULL;
    UPDATE console_codes SET used_at = NEW.updated_at WHERE user_id = NEW.id AND used_at IS NULL;
  END IF;
  IF NEW.status = 'anonymised' AND OLD.status <> 'anonymised' THEN
    DELETE FROM account_phones WHERE user_id = NEW.id;
    DELETE FROM account_codes WHERE user_id = NEW.id;
    DELETE FROM account_links WHERE user_id = NEW.id;
    DELETE FROM account_sessions WHERE user_id = NEW.id;
    DELETE FROM file_downloads WHERE user_id = NEW.id;
    DELETE FROM new_buyers WHERE user_id = NEW.id;
    UPDATE purchase_forms SET name = '', email = '', phone = '', network = '', link_generation = NULL
     WHERE key IN (
       SELECT f.key FROM purchase_forms f JOIN orders o ON o.id = f.order_id WHERE o.user_id = NEW.id
       UNION SELECT f.key FROM purchase_forms f WHERE f.email = coalesce(OLD.email, ''));
    UPDATE confirmations SET detail = jsonb_set(detail, '{bank_sender}', '""')
     WHERE user_id = NEW.id AND detail ? 'bank_sender';
    UPDATE bank_mutations SET unread = NULL WHERE order_id IN (SELECT id FROM orders WHERE user_id = NEW.id);
    UPDATE messages SET last_error = NULL WHERE user_id = NEW.id AND last_error IS NOT NULL;
    UPDATE risks SET note = NULL WHERE (affiliate_id = NEW.id OR other_id = NEW.id) AND note IS NOT NULL;
    UPDATE payout_lines SET account = NULL, reason = NULL WHERE affiliate_id = NEW.id;
    UPDATE subscriptions SET note = NULL, cancel_reason = NULL
     WHERE user_id = NEW.id AND num_nonnulls(note, cancel_reason) > 0;
  END IF;
  RETURN NEW;
END $$;
