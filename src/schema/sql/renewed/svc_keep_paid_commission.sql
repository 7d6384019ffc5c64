-- An order whose commissions were paid is not erased.
CREATE OR REPLACE FUNCTION svc_keep_paid_commission() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_guard(OLD.paid_at IS NULL, 'order_not_erasable');
  RETURN OLD;
END $$;
