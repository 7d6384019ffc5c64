-- Writes events into the outbox, one row for each webhook that wants one; those of a paused webhook
-- wait. Answers whether any of the rows can be delivered at once.
CREATE OR REPLACE FUNCTION svc_publish_events(p_events jsonb, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  due boolean;
BEGIN
  WITH taken AS (
    INSERT INTO outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
    SELECT w.id, e.event_id, e.event, e.object_id, e.data, p_now, p_now
      FROM ROWS FROM (jsonb_to_recordset(p_events) AS (
             event_id uuid, event text, object_id bigint, data jsonb, patterns text[], webhook_id bigint
           )) WITH ORDINALITY AS e
      JOIN webhooks w ON w.status IN ('active', 'paused') AND w.deleted_at IS NULL
       AND (e.webhook_id = w.id OR (e.webhook_id IS NULL AND w.events && e.patterns))
     ORDER BY e.ordinality, w.id
    RETURNING webhook_id
  ) SELECT EXISTS (
    SELECT FROM taken t
      JOIN webhooks w ON w.id = t.webhook_id AND w.status = 'active'
      JOIN webhook_states s ON s.webhook_id = w.id AND s.failing_since IS NULL
  ) INTO due;
  RETURN due;
END $$;
