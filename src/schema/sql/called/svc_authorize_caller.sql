-- The first statement of every request: refuses its caller, or answers with what the service has to know of the caller,
-- whose identity it leaves in the transaction-local setting svc.caller. Where p_store is given, nobody reaches a database
-- that is marked as another store's: not even the service itself, for which p_kind is null. p_values are, by p_kind:
--   key: prefix, hashes, scopes, IP address, now
--   session: user, session, issued, actor, the actor's session, when that was issued, administrator, roles,
--     whether a role in the console will do as well
--   console: prefix, hashes, scopes (null: any role will do), whether administrators may, signed in since,
--     active since, now
CREATE OR REPLACE FUNCTION svc_authorize_caller(
  p_kind text, p_values text[], p_store text DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  c record;
BEGIN
  IF p_store IS NOT NULL AND EXISTS (SELECT FROM store_mark WHERE store_id <> p_store) THEN
    PERFORM svc_refuse('rest_unavailable', 503, '');
  END IF;
  IF p_kind IS NULL THEN RETURN NULL; END IF;
  IF p_kind = 'key' THEN
    -- One query for all of it: each further one costs as much as the look-up.
    SELECT a.id, a.scopes && p_values[3]::text[] AS may,
           a.ip_allow IS NULL OR coalesce(p_values[4]::inet <<= ANY (a.ip_allow::inet[]), false) AS here,
           jsonb_build_object('id', a.id, 'scopes', a.scopes, 'last_used_at', a.last_used_at,
             'signs_in_administrators', a.signs_in_administrators) AS shown,
           set_config('svc.caller', 'key:' || a.id, true)
      INTO c
      FROM api_key_secrets s JOIN api_keys a ON a.id = s.api_key_id
     WHERE s.prefix = p_values[1] AND s.hash = ANY (p_values[2]::text[]) AND a.revoked_at IS NULL
       AND (a.expires_at IS NULL OR a.expires_at > p_values[5]::timestamptz)
       AND (s.expires_at IS NULL OR s.expires_at > p_values[5]::timestamptz);
    IF NOT FOUND THEN
      PERFORM svc_refuse('rest_forbidden', 401, 'Invalid API key.');
    END IF;
    IF NOT c.here THEN
      PERFORM svc_refuse('rest_forbidden', 403, 'This API key may not be used from this address.', c.id);
    END IF;
    IF NOT c.may THEN
      PERFORM svc_refuse('rest_forbidden', 403, 'Insufficient scope.', c.id);
    END IF;
    RETURN c.shown;

  ELSIF p_kind = 'session' THEN
    -- Who acts as the user is another caller than the user. A switched session also ends with the one it
    -- was made from, which is the actor's.
    SELECT t.roles, t.staff_role_id, t.status,
           coalesce(p_values[3]::timestamptz < t.sessions_valid_after, false)
             OR EXISTS (SELECT FROM revoked_sessions
                         WHERE sid IN (p_values[2]::uuid, p_values[5]::uuid)) AS revoked,
           p_values[4] IS NULL OR 'administrator' <> ALL (t.roles) AND t.staff_role_id IS NULL AND EXISTS (
             SELECT FROM users a
              WHERE a.id = p_values[4]::bigint AND a.status = 'active'
                AND 'administrator' = ANY (a.roles)
                AND (a.sessions_valid_after IS NULL
                     OR p_values[6]::timestamptz >= a.sessions_valid_after)
           ) AS acted,
           set_config('svc.caller', 'user:' || t.id || coalesce(' by user:' || p_values[4], ''), true)
      INTO c
      FROM users t WHERE t.id = p_values[1]::bigint;
    IF NOT FOUND OR c.status = 'anonymised' THEN
      PERFORM svc_refuse('svc_session_user_gone', 401, 'The user of this session no longer exists.');
    END IF;
    IF c.revoked THEN
      PERFORM svc_refuse('svc_session_invalid_token', 401, 'This session has been revoked.');
    END IF;
    IF c.status = 'blocked' THEN
      PERFORM svc_refuse('rest_forbidden', 403, 'This account is blocked.');
    END IF;
    IF NOT c.acted THEN
      PERFORM svc_refuse('svc_session_invalid_token', 401, 'This switched session is no longer valid.');
    END IF;
    IF p_values[8] IS NOT NULL AND NOT c.roles && p_values[8]::text[]
       AND NOT (p_values[9]::boolean AND c.staff_role_id IS NOT NULL) THEN
      PERFORM svc_refuse('rest_forbidden', 403, 'Your account may not do this.');
    END IF;
    -- Where the roles disagree with the token's hint, the service plans the request again.
    IF p_values[7]::boolean <> ('administrator' = ANY (c.roles)) THEN
      RAISE EXCEPTION USING ERRCODE = 'SV003', MESSAGE = 'administrator hint out of date';
    END IF;
    RETURN jsonb_build_object('roles', c.roles);

  ELSIF p_kind = 'console' THEN
    SELECT CASE WHEN 'administrator' = ANY (u.roles) THEN p_values[4]::boolean
                ELSE r.id IS NOT NULL AND (p_values[3] IS NULL OR r.scopes && p_values[3]::text[])
           END AS may,
           p_values[5] IS NULL OR s.authenticated_at >= p_values[5]::timestamptz AS fresh,
           jsonb_build_object('id', s.id, 'user_id', u.id, 'roles', u.roles, 'scopes', r.scopes,
             'seen_at', s.seen_at, 'authenticated_at', s.authenticated_at) AS shown,
           set_config('svc.caller', 'console:' || u.id, true)
      INTO c
      FROM console_sessions s JOIN users u ON u.id = s.user_id LEFT JOIN staff_roles r ON r.id = u.staff_role_id
     WHERE s.prefix = p_values[1] AND s.hash = ANY (p_values[2]::text[]) AND s.ended_at IS NULL
       AND s.expires_at > p_values[7]::timestamptz AND s.seen_at > p_values[6]::timestamptz
       AND u.status = 'active'
       AND (u.sessions_valid_after IS NULL OR s.authenticated_at >= u.sessions_valid_after);
    IF NOT FOUND THEN
      PERFORM svc_refuse('svc_console_signed_out', 401, '');
    END IF;
    IF NOT c.may THEN
      PERFORM svc_refuse('rest_forbidden', 403, 'Your role may not do this.' || CASE
        WHEN cardinality(p_values[3]::text[]) > 0 AND p_values[4]::boolean
        THEN ' It takes the scope ' || array_to_string(p_values[3]::text[], ' or ') || '.' ELSE '' END);
    END IF;
    IF NOT c.fresh THEN
      PERFORM svc_refuse('svc_console_sign_in_again', 403, '');
    END IF;
    RETURN c.shown;
  END IF;
  -- A function that ends without RETURN fails, as it does here for any other kind.
END $$;
