CREATE FUNCTION svc_keep_risks() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_risks text[] := ARRAY(
    SELECT r.status FROM risk_orders ro JOIN risks r ON r.id = ro.risk_id
     WHERE ro.order_id = NEW.order_id AND ro.tier IN (1, NEW.tier)
  );
BEGIN
  IF NEW.cancellation = 'reassigned' THEN
    UPDATE risks SET status = 'void', updated_at = NEW.updated_at, version = version + 1
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
--> statement-breakpoint
CREATE FUNCTION svc_return_line() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH returned AS (
    UPDATE payout_lines SET status = 'returned', account = NULL, tell_at = NULL, result_at = NEW.cancelled_at
     WHERE id = NEW.id AND status IN ('confirmed', 'paid') RETURNING run_id
  ) UPDATE payout_runs r SET version = r.version + 1, updated_at = NEW.cancelled_at
      FROM returned WHERE r.id = returned.run_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION svc_keep_agreement() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF EXISTS (
    SELECT FROM orders o LEFT JOIN subscriptions s ON s.first_order_id = o.id
     WHERE o.id = NEW.order_parent_id
       AND (jsonb_typeof(o.agreed -> 'plan') = 'object' OR s.status = 'paused'
            OR num_nonnulls(s.cancelled_at, s.next_price) > 0)
  ) THEN
    PERFORM svc_refuse('subscription_not_renewable', 409, 'A later version renews this subscription.');
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER commissions_hold BEFORE UPDATE OF paid_at, cancellation ON commissions
  FOR EACH ROW WHEN (
    (OLD.held AND OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL)
    OR (OLD.cancellation = 'risk' AND NEW.cancellation IS NULL)
  )
  EXECUTE FUNCTION svc_keep_risks();
--> statement-breakpoint
CREATE TRIGGER commissions_hold_adjustment BEFORE INSERT ON commissions
  FOR EACH ROW WHEN (NEW.kind = 'refund-adjustment')
  EXECUTE FUNCTION svc_keep_risks();
--> statement-breakpoint
CREATE TRIGGER commissions_drop_risks BEFORE UPDATE OF cancellation ON commissions
  FOR EACH ROW WHEN (NEW.cancellation = 'reassigned' AND OLD.cancellation IS DISTINCT FROM 'reassigned')
  EXECUTE FUNCTION svc_keep_risks();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER payouts_return_line AFTER UPDATE OF status ON payouts
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'cancelled' AND OLD.status <> 'cancelled')
  EXECUTE FUNCTION svc_return_line();
--> statement-breakpoint
CREATE TRIGGER orders_keep_agreement BEFORE INSERT ON orders
  FOR EACH ROW WHEN (NEW.order_parent_id IS NOT NULL AND NOT NEW.agreed ? 'plan')
  EXECUTE FUNCTION svc_keep_agreement();
