-- The first statement of every request made with a session token. p_admin is the token's hint that
-- its user is an administrator: where the user's roles disagree, SQLSTATE SV003 asks the service to
-- plan again. p_roles limits the operation to users with one of these roles; an administrator's is
-- nobody's while switched. Whoever acts as the user is another caller than the user. A switched
-- session also ends with the one it was made from, which is the actor's: p_actor_sid, p_actor_issued.
CREATE OR REPLACE FUNCTION svc_authorize_session(
  p_user bigint, p_sid uuid, p_issued timestamptz, p_actor bigint, p_actor_sid uuid,
  p_actor_issued timestamptz, p_admin boolean, p_roles text[]
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  u record;
BEGIN
  SELECT t.roles, t.status,
         coalesce(p_issued < t.sessions_valid_after, false)
           OR EXISTS (SELECT FROM revoked_sessions WHERE sid IN (p_sid, p_actor_sid)) AS revoked,
         p_actor IS NULL OR 'administrator' <> ALL (t.roles) AND EXISTS (
           SELECT FROM users a
            WHERE a.id = p_actor AND a.status = 'active' AND 'administrator' = ANY (a.roles)
              AND (a.sessions_valid_after IS NULL OR p_actor_issued >= a.sessions_valid_after)
         ) AS acted,
         set_config('svc.caller', 'user:' || t.id || coalesce(' by user:' || p_actor, ''), true)
    INTO u
    FROM users t WHERE t.id = p_user;
  IF NOT FOUND OR u.status = 'anonymised' THEN
    PERFORM svc_refuse('svc_session_user_gone', 401, 'The user of this session no longer exists.');
  END IF;
  IF u.revoked THEN
    PERFORM svc_refuse('svc_session_invalid_token', 401, 'This session has been revoked.');
  END IF;
  IF u.status = 'blocked' THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'This account is blocked.');
  END IF;
  IF NOT u.acted THEN
    PERFORM svc_refuse('svc_session_invalid_token', 401, 'This switched session is no longer valid.');
  END IF;
  IF p_roles IS NOT NULL AND NOT u.roles && p_roles THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Your account may not do this.');
  END IF;
  IF p_admin <> ('administrator' = ANY (u.roles)) THEN
    RAISE EXCEPTION USING ERRCODE = 'SV003', MESSAGE = 'administrator hint out of date';
  END IF;
  RETURN jsonb_build_object('roles', u.roles);
END $$;
