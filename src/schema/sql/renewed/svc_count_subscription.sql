-- Keeps the number of subscriptions that are stored as active.
CREATE OR REPLACE FUNCTION svc_count_subscription() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_count_listed('subscriptions:active', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.status = 'active', TG_OP <> 'DELETE' AND NEW.status = 'active');
  RETURN NULL;
END $$;
