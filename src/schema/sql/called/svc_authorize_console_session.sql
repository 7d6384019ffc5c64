-- The first statement of every request of the console. p_roles limits the operation to users with one of
-- these roles, p_since to sessions that were signed in since then; a session nobody used since p_active is over.
CREATE OR REPLACE FUNCTION svc_authorize_console_session(
  p_prefix text, p_hashes text[], p_roles text[], p_since timestamptz, p_active timestamptz,
  p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  s record;
BEGIN
  SELECT u.roles && p_roles AS may,
         p_since IS NULL OR c.authenticated_at >= p_since AS fresh,
         jsonb_build_object('id', c.id, 'user_id', u.id, 'roles', u.roles, 'seen_at', c.seen_at,
                            'authenticated_at', c.authenticated_at) AS shown,
         set_config('svc.caller', 'console:' || u.id, true)
    INTO s
    FROM console_sessions c JOIN users u ON u.id = c.user_id
   WHERE c.prefix = p_prefix AND c.hash = ANY (p_hashes) AND c.ended_at IS NULL
     AND c.expires_at > p_now AND c.seen_at > p_active AND u.status = 'active'
     AND (u.sessions_valid_after IS NULL OR c.authenticated_at >= u.sessions_valid_after);
  IF NOT FOUND THEN
    PERFORM svc_refuse('svc_console_signed_out', 401, '');
  END IF;
  IF NOT s.may THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Your role may not do this.');
  END IF;
  IF NOT s.fresh THEN
    PERFORM svc_refuse('svc_console_sign_in_again', 403, '');
  END IF;
  RETURN s.shown;
END $$;
