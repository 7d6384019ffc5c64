-- The functions below are statements of every order. They are functions for their plans' sake, which
-- a connection keeps: to plan them took longer than to run them. Left alone, PostgreSQL plans them anew
-- for values whose plan it takes for cheaper.
--
-- Everybody who may earn from an order of a product, for each of those it may count for (root): up the
-- tree for as many tiers as the product has. A user who comes again ends the chain. LIMIT 1 has a kept
-- plan look each of them up: expecting long chains, it would read all users.
CREATE OR REPLACE FUNCTION svc_commission_chains(p_product bigint, p_candidates bigint[])
RETURNS TABLE (root bigint, tier int, commission_id bigint, person jsonb, sales bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tiers int := (
    SELECT max((t ->> 'tier')::int)
      FROM products p, jsonb_array_elements(p.affiliate -> 'tiers') t
     WHERE p.id = p_product AND (p.affiliate ->> 'enabled')::boolean);
BEGIN
  IF tiers > 0 THEN
    RETURN QUERY
      WITH RECURSIVE chains (root, tier, id, path) AS (
        SELECT DISTINCT c.id, 1, c.id, ARRAY[c.id] FROM unnest(p_candidates) c (id) WHERE c.id IS NOT NULL
        UNION ALL
        SELECT h.root, h.tier + 1, u.affiliate_id, h.path || u.affiliate_id
          FROM chains h CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = h.id LIMIT 1) u
         WHERE h.tier < tiers AND u.affiliate_id IS NOT NULL AND u.affiliate_id <> ALL (h.path)
      )
      SELECT h.root, h.tier, nextval('commissions_id_seq'),
             jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'roles', u.roles,
               'bank_info', u.bank_info, 'status', u.status, 'group', to_jsonb(g)),
             (SELECT coalesce(sum(r.orders), 0)::bigint FROM order_rollups r
               WHERE r.dimension = 'affiliate' AND r.key = u.id AND r.status = 'completed')
        FROM chains h CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = h.id LIMIT 1) u
        LEFT JOIN user_groups g ON g.id = u.group_id
       ORDER BY h.root, h.tier;
  END IF;
END $$;
