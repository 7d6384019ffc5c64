-- Claims messages of a medium that are due, for as long as the lease lasts: as many as its sender takes
-- within the next p_ahead seconds, each with the seconds until its turn. Buyers' orders go first, reminders last.
-- Whoever claims some waits for whoever does so before: together they keep to the sender's pace.
CREATE OR REPLACE FUNCTION svc_claim_ranked_messages(
  p_medium text, p_token uuid, p_most int, p_rate float8, p_ahead float8, p_lease float8, p_now timestamptz
) RETURNS TABLE (id bigint, wait float8)
LANGUAGE plpgsql AS $$
DECLARE
  v_first timestamptz;
  v_room int;
  v_taken int;
BEGIN
  INSERT INTO message_senders (medium, next_at) VALUES (p_medium, p_now) ON CONFLICT DO NOTHING;
  SELECT greatest(s.next_at, p_now) INTO v_first FROM message_senders s
   WHERE s.medium = p_medium AND (s.paused_until IS NULL OR s.paused_until <= p_now) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  v_room := least(p_most, floor((p_ahead - extract(epoch FROM v_first - p_now)) * p_rate) + 1);
  IF v_room <= 0 THEN RETURN; END IF;
  RETURN QUERY
    WITH due AS (
      SELECT m.id, r.rank, m.due_at
        FROM unnest(ARRAY[0, 1, 2]) r (rank)
       CROSS JOIN LATERAL (
         SELECT w.id, w.due_at FROM messages w
          WHERE w.medium = p_medium AND w.status = 'queued' AND w.due_at <= p_now
            AND (CASE WHEN w.kind IN (
                         'order-placed', 'payment-received', 'order-in-progress', 'order-shipped', 'order-completed',
                         'order-cancelled', 'order-refunded', 'confirmation-rejected'
                       ) THEN 0 WHEN w.kind = 'reminder' THEN 2 ELSE 1 END) = r.rank
          ORDER BY w.due_at, w.id LIMIT v_room FOR UPDATE SKIP LOCKED
       ) m
       ORDER BY r.rank, m.due_at, m.id LIMIT v_room
    ), turn AS (
      SELECT due.id, row_number() OVER (ORDER BY due.rank, due.due_at, due.id) - 1 AS behind FROM due
    ), taken AS (
      UPDATE messages m
         SET lease_token = p_token, due_at = p_now + make_interval(secs => p_lease)
        FROM turn WHERE m.id = turn.id
      RETURNING m.id, turn.behind
    )
    SELECT t.id, extract(epoch FROM v_first - p_now)::float8 + t.behind / p_rate
      FROM taken t ORDER BY t.behind;
  GET DIAGNOSTICS v_taken = ROW_COUNT;
  UPDATE message_senders s SET next_at = v_first + make_interval(secs => v_taken / p_rate)
   WHERE s.medium = p_medium AND v_taken > 0;
END $$;
