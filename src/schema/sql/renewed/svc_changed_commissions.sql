-- The counted commissions as they were (sign -1) and as they are (1). The hold of a risk has no
-- end, so it gets the latest day.
CREATE OR REPLACE FUNCTION svc_changed_commissions(p_before commissions[], p_after commissions[])
RETURNS TABLE (
  sign int, order_id bigint, product_id bigint, affiliate_id bigint, tier int, kind text,
  commission bigint, hold_until timestamptz, rolled text, day int
)
LANGUAGE sql STABLE AS $$
  SELECT c.sign, c.order_id, c.product_id, c.affiliate_id, c.tier, c.kind, c.commission,
         CASE WHEN c.held THEN timestamptz '9999-12-31 00:00Z' ELSE c.hold_until END,
         CASE WHEN c.paid_at IS NOT NULL THEN 'paid' WHEN c.status = 'added' THEN 'unpaid'
              ELSE c.status END,
         (c.created_at AT TIME ZONE (SELECT timezone FROM settings))::date - date '2000-01-01'
    FROM (
      SELECT -1 AS sign, b.* FROM unnest(p_before) b
      UNION ALL
      SELECT 1, a.* FROM unnest(p_after) a
    ) c
   WHERE c.deleted_at IS NULL
$$;
