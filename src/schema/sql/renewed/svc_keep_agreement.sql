-- Refuses that a worker of version 0.0.0 renews a subscription whose agreement it does not know: a payment plan, a pause, a
-- cancellation or a price of its own.
CREATE OR REPLACE FUNCTION svc_keep_agreement() RETURNS trigger
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
