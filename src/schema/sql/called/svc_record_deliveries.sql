-- Writes back what became of the deliveries leased under a token; a lease that was lost meanwhile
-- counts for nothing. A result without a status only gives its lease back. Each finished attempt is a
-- row of its webhook's log: its id comes from the webhook's counter, whose row stays locked until the
-- commit, so that ids become visible in their order and a reader never skips one. The counters are
-- locked in ascending order, so that parallel calls don't deadlock.
CREATE OR REPLACE FUNCTION svc_record_deliveries(p_token uuid, p_results jsonb, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH live AS (
    UPDATE outbox o SET
      lease_token = NULL,
      lease_until = NULL,
      attempts = o.attempts + (r.status IS NOT NULL)::int,
      next_attempt_at = coalesce(r.next_attempt_at, o.next_attempt_at),
      delivered_at = CASE WHEN r.status = 'success' THEN p_now END
    FROM ROWS FROM (jsonb_to_recordset(p_results) AS (
           id bigint, status text, code int, milliseconds int, error text, answer text,
           sent_at bigint, signature text, next_attempt_at timestamptz
         )) WITH ORDINALITY AS r
    WHERE o.id = r.id AND o.lease_token = p_token
    RETURNING o.webhook_id, o.event, o.attempts, r.*
  ), finished AS (
    SELECT *, row_number() OVER (PARTITION BY webhook_id ORDER BY ordinality) AS n
      FROM live WHERE status IS NOT NULL
  ), batch AS (
    SELECT webhook_id, count(*) AS n, bool_or(status = 'success') AS success
      FROM finished GROUP BY webhook_id
  ), held AS MATERIALIZED (
    SELECT s.webhook_id FROM webhook_states s
     WHERE s.webhook_id IN (SELECT webhook_id FROM batch) ORDER BY s.webhook_id FOR UPDATE
  ), counted AS (
    UPDATE webhook_states s SET
      last_log_id = s.last_log_id + b.n,
      last_success_at = CASE WHEN b.success THEN p_now ELSE s.last_success_at END,
      failing_since = CASE WHEN b.success THEN NULL ELSE coalesce(s.failing_since, p_now) END,
      slot_until = NULL
    FROM held h JOIN batch b USING (webhook_id)
    WHERE s.webhook_id = h.webhook_id
    RETURNING s.webhook_id, s.last_log_id - b.n AS before
  )
  INSERT INTO webhook_log
    (webhook_id, id, outbox_id, event, at, status, code, attempt, milliseconds, error, answer,
     sent_at, signature)
  SELECT webhook_id, c.before + f.n, f.id, f.event, p_now, f.status, f.code, f.attempts,
         f.milliseconds, f.error, f.answer, f.sent_at, f.signature
    FROM finished f JOIN counted c USING (webhook_id);
END $$;
