-- Keeps risks where a worker of version 0.0.0 changes commissions, since it knows none. An order that now counts for another
-- affiliate leaves its risks. An adjustment is held by an open risk, and earns nothing with a confirmed one. A held commission
-- is not paid, and one that a confirmed risk took is not given back. The conditions of the triggers choose the rows.
CREATE OR REPLACE FUNCTION svc_keep_risks() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_risks text[] := ARRAY(
    SELECT r.status FROM risk_orders ro JOIN risks r ON r.id = ro.risk_id
     WHERE ro.order_id = NEW.order_id AND ro.tier IN (1, NEW.tier)
  );
BEGIN
  IF NEW.cancellation = 'reassigned' THEN
    -- Leaves the version: a worker of version 0.1.0 writes the same afterwards, over the version that it has read.
    UPDATE risks SET status = 'void', updated_at = NEW.updated_at
     WHERE status = 'open' AND kind NOT IN ('shared-bank', 'other-account')
       AND id IN (SELECT risk_id FROM risk_orders WHERE order_id = NEW.order_id);
    DELETE FROM risk_orders WHERE order_id = NEW.order_id;
    NEW.held := false;
  ELSIF TG_OP = 'INSERT' THEN
    IF 'confirmed' = ANY (v_risks) THEN
      NEW.commission := -(
        SELECT coalesce(sum(commission), 0) FROM commissions
         WHERE order_id = NEW.order_id AND tier = NEW.tier AND status <> 'cancelled' AND kind <> 'manual'
      );
    END IF;
    NEW.held := NEW.held OR 'open' = ANY (v_risks);
  ELSIF NEW.paid_at IS NOT NULL THEN
    PERFORM svc_refuse('commission_not_payable', 409, 'An open risk holds commissions. Decide it in a later version first.');
  ELSIF 'confirmed' = ANY (v_risks) THEN
    PERFORM svc_refuse('rest_invalid_transition', 409, 'A confirmed risk took the commission. Clear it in a later version first.');
  END IF;
  RETURN NEW;
END $$;
