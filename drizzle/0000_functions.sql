CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- A refusal the service turns into an API error: SQLSTATE SV001, the error's code as the message,
-- {"status", "message"} as the detail.
CREATE FUNCTION svc_refuse(p_code text, p_status int, p_message text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SV001', MESSAGE = p_code,
    DETAIL = json_build_object('status', p_status, 'message', p_message)::text;
END $$;
--> statement-breakpoint
-- Holds a write to what its decision was based on: SQLSTATE SV002 undoes the whole batch.
CREATE FUNCTION svc_guard(p_holds boolean, p_code text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'SV002', MESSAGE = p_code;
  END IF;
END $$;
--> statement-breakpoint
-- The first statement of every request made with an API key. Refuses, or answers with the key and
-- leaves its identity in the transaction-local setting svc.caller.
CREATE FUNCTION svc_authorize_key(
  p_prefix text, p_hashes text[], p_scopes text[], p_ip text, p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  k record;
BEGIN
  SELECT a.id, a.scopes, a.ip_allow, a.last_used_at INTO k
    FROM api_key_secrets s JOIN api_keys a ON a.id = s.api_key_id
   WHERE s.prefix = p_prefix AND s.hash = ANY (p_hashes) AND a.revoked_at IS NULL
     AND (a.expires_at IS NULL OR a.expires_at > p_now)
     AND (s.expires_at IS NULL OR s.expires_at > p_now);
  IF NOT FOUND THEN
    PERFORM svc_refuse('rest_forbidden', 401, 'Invalid API key.');
  END IF;
  IF k.ip_allow IS NOT NULL AND (p_ip IS NULL OR NOT p_ip::inet <<= ANY (k.ip_allow::inet[])) THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'This API key may not be used from this address.');
  END IF;
  IF NOT k.scopes && p_scopes THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Insufficient scope.');
  END IF;
  PERFORM set_config('svc.caller', 'key:' || k.id, true);
  RETURN jsonb_build_object('id', k.id, 'scopes', k.scopes, 'last_used_at', k.last_used_at);
END $$;
--> statement-breakpoint
-- The first statement of every request made with a session token. p_admin is the token's hint that
-- its user is an administrator: where the user's roles disagree, SQLSTATE SV003 asks the service to
-- plan again. p_roles limits the operation to users with one of these roles, not switched.
CREATE FUNCTION svc_authorize_session(
  p_user bigint, p_sid uuid, p_issued timestamptz, p_actor bigint, p_admin boolean, p_roles text[]
) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  u record;
BEGIN
  SELECT roles, status, sessions_valid_after INTO u FROM users WHERE id = p_user;
  IF NOT FOUND OR u.status = 'anonymised' THEN
    PERFORM svc_refuse('svc_session_user_gone', 401, 'The user of this session no longer exists.');
  END IF;
  IF p_issued < u.sessions_valid_after OR EXISTS (SELECT FROM revoked_sessions WHERE sid = p_sid) THEN
    PERFORM svc_refuse('svc_session_invalid_token', 401, 'This session has been revoked.');
  END IF;
  IF u.status = 'blocked' THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'This account is blocked.');
  END IF;
  IF p_actor IS NOT NULL AND ('administrator' = ANY (u.roles) OR NOT EXISTS (
    SELECT FROM users WHERE id = p_actor AND status = 'active' AND 'administrator' = ANY (roles)
      AND (sessions_valid_after IS NULL OR p_issued >= sessions_valid_after)
  )) THEN
    PERFORM svc_refuse('svc_session_invalid_token', 401, 'This switched session is no longer valid.');
  END IF;
  IF p_roles IS NOT NULL AND (p_actor IS NOT NULL OR NOT u.roles && p_roles) THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Your account may not do this.');
  END IF;
  IF p_admin <> ('administrator' = ANY (u.roles)) THEN
    RAISE EXCEPTION USING ERRCODE = 'SV003', MESSAGE = 'administrator hint out of date';
  END IF;
  PERFORM set_config('svc.caller', 'user:' || p_user, true);
  RETURN jsonb_build_object('roles', u.roles);
END $$;
--> statement-breakpoint
-- Takes an Idempotency-Key for the transaction's effect. A twin in flight is waited for, 2 s at most:
-- then 23505 (it committed: replay it) or 55P03 (it is still at work).
CREATE FUNCTION svc_claim_idempotency(
  p_operation text, p_key text, p_fingerprint text, p_status int, p_body text, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
BEGIN
  INSERT INTO idempotency_keys (caller, operation, key, fingerprint, status, body, created_at)
  VALUES (current_setting('svc.caller'), p_operation, p_key, p_fingerprint, p_status, p_body, p_now);
END $$;
--> statement-breakpoint
-- The moment a filter value stands for: an RFC 3339 instant as it is, a plain date as its start in
-- the store's time zone, or with p_end as the start of the next day.
CREATE FUNCTION svc_day(p_value text, p_end boolean) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF length(p_value) > 10 THEN
    RETURN p_value::timestamptz;
  END IF;
  RETURN (p_value::date + p_end::int)::timestamp AT TIME ZONE (SELECT timezone FROM settings);
END $$;
