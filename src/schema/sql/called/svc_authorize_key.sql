-- The first statement of every request made with an API key. Refuses, or answers with the key and
-- leaves its identity in the transaction-local setting svc.caller.
CREATE OR REPLACE FUNCTION svc_authorize_key(
  p_prefix text, p_hashes text[], p_scopes text[], p_ip text, p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  k record;
BEGIN
  -- One query for all of it: each further one costs as much as the look-up.
  SELECT a.id, a.scopes && p_scopes AS may,
         a.ip_allow IS NULL OR coalesce(p_ip::inet <<= ANY (a.ip_allow::inet[]), false) AS here,
         jsonb_build_object('id', a.id, 'scopes', a.scopes, 'last_used_at', a.last_used_at,
           'signs_in_administrators', a.signs_in_administrators) AS shown,
         set_config('svc.caller', 'key:' || a.id, true)
    INTO k
    FROM api_key_secrets s JOIN api_keys a ON a.id = s.api_key_id
   WHERE s.prefix = p_prefix AND s.hash = ANY (p_hashes) AND a.revoked_at IS NULL
     AND (a.expires_at IS NULL OR a.expires_at > p_now)
     AND (s.expires_at IS NULL OR s.expires_at > p_now);
  IF NOT FOUND THEN
    PERFORM svc_refuse('rest_forbidden', 401, 'Invalid API key.');
  END IF;
  IF NOT k.here THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'This API key may not be used from this address.', k.id);
  END IF;
  IF NOT k.may THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Insufficient scope.', k.id);
  END IF;
  RETURN k.shown;
END $$;
