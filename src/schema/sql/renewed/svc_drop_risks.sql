-- Takes an order that now counts for another affiliate out of its risks, which a worker of a version before risks leaves.
CREATE OR REPLACE FUNCTION svc_drop_risks() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE risks SET status = 'void', updated_at = NEW.updated_at, version = version + 1
   WHERE status = 'open' AND kind NOT IN ('shared-bank', 'other-account')
     AND id IN (SELECT risk_id FROM risk_orders WHERE order_id = NEW.order_id);
  DELETE FROM risk_orders WHERE order_id = NEW.order_id;
  NEW.held := false;
  RETURN NEW;
END $$;
