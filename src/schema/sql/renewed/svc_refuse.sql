-- A refusal the service turns into an API error: SQLSTATE SV001, the error's code as the message,
-- {"status", "message"} as the detail, and "key" where it is known which API key was refused.
CREATE OR REPLACE FUNCTION svc_refuse(p_code text, p_status int, p_message text, p_key bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SV001', MESSAGE = p_code,
    DETAIL = json_build_object('status', p_status, 'message', p_message, 'key', p_key)::text;
END $$;
