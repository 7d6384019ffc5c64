-- Everybody who may earn from an order of a product, for each of those it may count for (root): up the
-- tree for as many tiers as the product has. A user who comes again ends the chain. LIMIT 1 has a kept
-- plan look each of them up: expecting long chains, it would read all users.
--
-- Beside each of them stands what a risk is found by: other affiliates who have details in common, whose pair was not cleared
-- before (others, at most ten), and the risks that were found with these (pairs), what the store trusts (trusts), the times of
-- the buyer's latest orders through the first of the chain, in milliseconds (recent), and ids for the risks. Each detail is
-- looked up by the expression of an index and then compared like in src/domain/risk/kinds, so that others are only true pairs.
CREATE OR REPLACE FUNCTION svc_earners(p_product bigint, p_candidates bigint[], p_buyer bigint)
RETURNS TABLE (root bigint, tier int, commission_id bigint, person jsonb, sales bigint, others jsonb,
  pairs jsonb, trusts jsonb, recent jsonb, risk_ids jsonb)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tiers int := (
    SELECT max((t ->> 'tier')::int)
      FROM products p, jsonb_array_elements(p.affiliate -> 'tiers') t
     WHERE p.id = p_product AND (p.affiliate ->> 'enabled')::boolean);
  home text := (SELECT settings.country FROM settings LIMIT 1);
BEGIN
  IF tiers > 0 AND array_remove(p_candidates, NULL) <> '{}' THEN
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
               'bank_info', u.bank_info, 'bank_account', u.bank_account, 'status', u.status, 'group', to_jsonb(g)),
             (SELECT coalesce(sum(r.orders), 0)::bigint FROM order_rollups r
               WHERE r.dimension = 'affiliate' AND r.key = u.id AND r.status = 'completed'),
             o.others, p.pairs,
             (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'other_id', k.other_id)), '[]')
                FROM risks k WHERE k.affiliate_id = u.id AND k.trusted),
             b.recent,
             (SELECT coalesce(jsonb_agg(nextval('risks_id_seq')), '[]') FROM generate_series(1,
               4 + 2 * jsonb_array_length(o.others)))
        FROM chains h CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = h.id LIMIT 1) u
        LEFT JOIN user_groups g ON g.id = u.group_id
        CROSS JOIN LATERAL svc_phone(u.phone, home) phone
        CROSS JOIN LATERAL (
          SELECT svc_account_key(u.bank_info, u.bank_account) AS account,
                 nullif(ltrim(substring(normalize(u.bank_account ->> 'bank_code', NFKC) from '[0-9]+'), '0'), '') AS bank,
                 svc_mailbox(u.email) AS mailbox
        ) own
        CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'email', x.email, 'phone', x.phone,
                   'bank_info', x.bank_info, 'bank_account', x.bank_account)), '[]') AS others
            FROM users x WHERE x.id IN (
              SELECT c.id
                FROM (
                  SELECT 'shared-bank' AS kind, a.id, a.roles FROM users a
                   WHERE a.bank_info <> '' AND own.account <> ''
                     AND svc_account_key(a.bank_info, a.bank_account) = own.account
                     AND (nullif(ltrim(substring(normalize(a.bank_account ->> 'bank_code', NFKC) from '[0-9]+'), '0'), '')
                       <> own.bank) IS NOT TRUE
                  UNION ALL
                  SELECT 'other-account', a.id, a.roles FROM users a
                   WHERE a.phone <> ''
                     AND right(regexp_replace(substring(normalize(a.phone, NFKC) from '[+0-9][^[:alpha:]#*,\u003B]*'),
                       '[^0-9]', '', 'g'), 7) = ANY (phone.ends)
                     AND (SELECT p.number FROM svc_phone(a.phone, home) p) = phone.number
                  UNION ALL
                  SELECT 'other-account', a.id, a.roles FROM users a
                   WHERE replace(regexp_replace(split_part(a.email, '@', 1), '[+].*$', ''), '.', '') || '@'
                           || replace(split_part(a.email, '@', 2), 'googlemail.com', 'gmail.com')
                       = replace(regexp_replace(split_part(u.email, '@', 1), '[+].*$', ''), '.', '') || '@'
                           || replace(split_part(u.email, '@', 2), 'googlemail.com', 'gmail.com')
                     AND svc_mailbox(a.email) = own.mailbox
                ) c
               WHERE c.roles @> '{affiliate}' AND c.id <> u.id AND c.id IS DISTINCT FROM p_buyer
                 AND NOT EXISTS (
                   SELECT FROM risks k WHERE k.affiliate_id = u.id AND k.trusted AND k.kind = c.kind
                      AND (k.kind = 'shared-bank' OR k.other_id = c.id))
                 AND (
                   SELECT (array_agg(k.status ORDER BY k.id DESC))[1]
                     FROM (
                       SELECT * FROM risks r WHERE r.kind IN ('shared-bank', 'other-account')
                          AND r.affiliate_id = u.id AND r.other_id = c.id
                       UNION ALL
                       SELECT * FROM risks r WHERE r.kind IN ('shared-bank', 'other-account')
                          AND r.affiliate_id = c.id AND r.other_id = u.id
                     ) k
                    WHERE k.kind = c.kind
                 ) IS DISTINCT FROM 'cleared'
               LIMIT 10
            )
        ) o
        CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'version', k.version, 'kind', k.kind,
                   'status', k.status, 'affiliate_id', k.affiliate_id, 'other_id', k.other_id)
                   ORDER BY k.id), '[]') AS pairs
            FROM jsonb_array_elements(o.others) x CROSS JOIN LATERAL (
              SELECT * FROM risks r WHERE r.kind IN ('shared-bank', 'other-account')
                 AND r.affiliate_id = u.id AND r.other_id = (x ->> 'id')::bigint
              UNION ALL
              SELECT * FROM risks r WHERE r.kind IN ('shared-bank', 'other-account')
                 AND r.affiliate_id = (x ->> 'id')::bigint AND r.other_id = u.id
            ) k
        ) p
        CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_agg(extract(epoch FROM latest.created_at) * 1000), '[]') AS recent
            FROM (
              SELECT * FROM orders
               WHERE orders.user_id = p_buyer AND orders.affiliate_id = h.root AND h.tier = 1
               ORDER BY orders.id DESC LIMIT 20
            ) latest
        ) b
       ORDER BY h.root, h.tier;
  END IF;
END $$;
