-- Refuses that a worker of a version before risks pays a commission that one holds, or gives back a commission that one took.
CREATE OR REPLACE FUNCTION svc_hold_commission() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NEW.paid_at IS NOT NULL AND OLD.paid_at IS NULL AND OLD.held THEN
    PERFORM svc_refuse('commission_not_payable', 409, 'An open risk holds commissions. Decide it in a later version first.');
  ELSIF OLD.cancellation = 'risk' AND NEW.cancellation IS NULL AND svc_has_risk(OLD.order_id, OLD.tier, 'confirmed') THEN
    PERFORM svc_refuse('rest_invalid_transition', 409, 'A confirmed risk took the commission. Clear it in a later version first.');
  END IF;
  RETURN NEW;
END $$;
