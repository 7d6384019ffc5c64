-- A commission as it was (sign -1) or as it is (1), as the totals count it. The hold of a risk has no end, so it gets the
-- latest day.
CREATE OR REPLACE FUNCTION svc_change_of(p_sign int, c commissions, p_timezone text) RETURNS svc_commission_change
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    p_sign, c.order_id, c.product_id, c.affiliate_id, c.tier, (c.kind = 'sale')::int, c.commission,
    CASE WHEN c.held THEN timestamptz '9999-12-31 00:00Z' ELSE c.hold_until END,
    CASE WHEN c.paid_at IS NOT NULL THEN 'paid' WHEN c.status = 'added' THEN 'unpaid' ELSE c.status END,
    (c.created_at AT TIME ZONE p_timezone)::date - date '2000-01-01'
  )::svc_commission_change
$$;
