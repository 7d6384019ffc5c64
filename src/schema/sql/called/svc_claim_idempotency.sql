-- Takes an Idempotency-Key for the transaction's effect. A twin in flight is waited for, 2 s at most:
-- then 23505 (it committed: replay it) or 55P03 (it is still at work).
CREATE OR REPLACE FUNCTION svc_claim_idempotency(
  p_operation text, p_key text, p_fingerprint text, p_status int, p_body text, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
BEGIN
  INSERT INTO idempotency_keys (caller, operation, key, fingerprint, status, body, created_at)
  VALUES (current_setting('svc.caller'), p_operation, p_key, p_fingerprint, p_status, p_body, p_now);
END $$;
