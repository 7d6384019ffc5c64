-- Tells if a risk with a status is about a tier of an order: tier 1 stands for all.
CREATE OR REPLACE FUNCTION svc_has_risk(p_order bigint, p_tier int, p_status text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM risk_orders ro JOIN risks r ON r.id = ro.risk_id
     WHERE ro.order_id = p_order AND ro.tier IN (1, p_tier) AND r.status = p_status
  )
$$;
