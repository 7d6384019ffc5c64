-- Gathers notices to the seller that wait to be sent by a medium: from the 21st of a kind within an hour on they are told
-- of by one summary, an hour after the first of them. Nothing is gathered where the store switched the summary off.
-- Whoever gathers some waits for whoever does so before, so that the limit holds however many send at once.
CREATE OR REPLACE FUNCTION svc_gather_notices(p_medium text, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  c_most CONSTANT int := 20;
  c_hour CONSTANT interval := interval '1 hour';
  v_notice record;
  v_kind text := '';
  v_alone timestamptz[];
  v_gathered bigint[] := '{}';
  v_first timestamptz;
  v_summary bigint;
BEGIN
  INSERT INTO message_senders (medium, next_at) VALUES (p_medium, p_now) ON CONFLICT DO NOTHING;
  PERFORM FROM message_senders s WHERE s.medium = p_medium FOR UPDATE;
  IF EXISTS (
    SELECT FROM message_templates t WHERE t.kind = 'seller-summary' AND t.medium = p_medium AND NOT t.active
  ) THEN RETURN; END IF;
  FOR v_notice IN
    SELECT m.id, m.kind, m.created_at FROM messages m
     WHERE m.medium = p_medium AND m.kind IN ('new-order', 'new-confirmation', 'unexpected-payment', 'webhook-paused')
       AND m.status = 'queued' AND m.attempts = 0 AND m.lease_token IS NULL AND m.content IS NULL
     ORDER BY m.kind, m.created_at, m.id FOR UPDATE
  LOOP
    IF v_notice.kind <> v_kind THEN
      v_kind := v_notice.kind;
      SELECT coalesce(array_agg(a.created_at ORDER BY a.created_at), '{}') INTO v_alone FROM (
        SELECT m.created_at FROM messages m
         WHERE m.medium = p_medium AND m.kind = v_kind
           AND m.kind IN ('new-order', 'new-confirmation', 'unexpected-payment', 'webhook-paused')
           AND m.status <> 'gathered'
           AND NOT (m.status = 'queued' AND m.attempts = 0 AND m.lease_token IS NULL AND m.content IS NULL)
         ORDER BY m.created_at DESC LIMIT c_most) a;
    END IF;
    IF cardinality(v_alone) = c_most AND v_alone[1] > v_notice.created_at - c_hour THEN
      v_gathered := v_gathered || v_notice.id;
      v_first := least(v_first, v_notice.created_at);
    ELSE
      v_alone := (v_alone || v_notice.created_at)[cardinality(v_alone) + 2 - c_most :];
    END IF;
  END LOOP;
  IF cardinality(v_gathered) = 0 THEN RETURN; END IF;
  SELECT m.id INTO v_summary FROM messages m
   WHERE m.medium = p_medium AND m.kind = 'seller-summary'
     AND m.status = 'queued' AND m.attempts = 0 AND m.lease_token IS NULL AND m.content IS NULL
   ORDER BY m.created_at DESC LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO messages (kind, medium, status, due_at, created_at, updated_at)
    VALUES ('seller-summary', p_medium, 'queued', v_first + c_hour, p_now, p_now)
    RETURNING id INTO v_summary;
  END IF;
  UPDATE messages m
     SET status = 'gathered', gathered_in = v_summary, updated_at = p_now, version = m.version + 1
   WHERE m.id = ANY(v_gathered);
END $$;
