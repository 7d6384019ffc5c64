CREATE OR REPLACE FUNCTION svc_count_product() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_count_listed('products', coalesce(NEW.id, OLD.id),
    TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL, TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL);
  RETURN NULL;
END $$;
