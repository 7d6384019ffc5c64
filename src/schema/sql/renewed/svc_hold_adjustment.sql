-- Completes an adjustment that a worker of a version before risks adds: an open risk holds it, and with a confirmed one
-- its tier earns nothing.
CREATE OR REPLACE FUNCTION svc_hold_adjustment() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF svc_has_risk(NEW.order_id, NEW.tier, 'confirmed') THEN
    NEW.commission := -(
      SELECT coalesce(sum(commission), 0) FROM commissions
       WHERE order_id = NEW.order_id AND tier = NEW.tier AND status <> 'cancelled' AND kind <> 'manual'
    );
  END IF;
  NEW.held := NEW.held OR svc_has_risk(NEW.order_id, NEW.tier, 'open');
  RETURN NEW;
END $$;
