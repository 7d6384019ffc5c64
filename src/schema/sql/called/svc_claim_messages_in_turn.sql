-- Claims messages of a medium that are due, for as long as the lease lasts: as many as its sender takes
-- within the next p_ahead seconds, each with the call it goes out by and the seconds until that call's turn. What
-- signs somebody in goes first, then buyers' orders, reminders last. More messages than calls go up to p_together a call; a batch that may have been taken is
-- repeated whole, and what was refused in one goes with the part of it that it was left to.
-- Notices to the seller beyond some an hour are gathered first (svc_gather_notices). A notice that is committed meanwhile
-- wasn't looked at: it waits for the next claim.
-- Whoever claims some waits for whoever does so before: together they keep to the sender's pace.
CREATE OR REPLACE FUNCTION svc_claim_messages_in_turn(
  p_medium text, p_token uuid, p_most int, p_together int, p_rate float8, p_ahead float8, p_lease float8,
  p_now timestamptz
) RETURNS TABLE (id bigint, batch uuid, call int, wait float8)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_first timestamptz;
  v_calls int;
  v_seen bigint[];
BEGIN
  SELECT coalesce(array_agg(m.id), '{}') INTO v_seen FROM messages m
   WHERE m.medium = p_medium AND m.kind IN ('new-order', 'new-confirmation', 'unexpected-payment', 'webhook-paused')
     AND m.status = 'queued' AND m.attempts = 0 AND m.lease_token IS NULL AND m.content IS NULL;
  PERFORM svc_gather_notices(p_medium, p_now);
  INSERT INTO message_senders (medium, next_at) VALUES (p_medium, p_now) ON CONFLICT DO NOTHING;
  SELECT greatest(s.next_at, p_now) INTO v_first FROM message_senders s
   WHERE s.medium = p_medium AND (s.paused_until IS NULL OR s.paused_until <= p_now) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  v_calls := least(p_most, floor((p_ahead - extract(epoch FROM v_first - p_now)) * p_rate) + 1);
  IF v_calls <= 0 THEN RETURN; END IF;
  RETURN QUERY
    WITH urgent AS (
      SELECT w.id, w.due_at, w.batch, w.begun_at FROM messages w
       WHERE w.medium = p_medium AND w.status = 'queued' AND w.due_at <= p_now
         AND w.kind IN ('sign-in-link', 'sign-in-code')
       ORDER BY w.due_at, w.id LIMIT v_calls * p_together FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT u.id, -1 AS rank, u.due_at, u.batch, u.begun_at FROM urgent u
       UNION ALL
      SELECT m.id, r.rank, m.due_at, m.batch, m.begun_at
        FROM unnest(ARRAY[0, 1, 2]) r (rank)
       CROSS JOIN LATERAL (
         SELECT w.id, w.due_at, w.batch, w.begun_at FROM messages w
          WHERE w.medium = p_medium AND w.status = 'queued' AND w.due_at <= p_now
            AND w.kind NOT IN ('sign-in-link', 'sign-in-code')
            AND (w.kind NOT IN ('new-order', 'new-confirmation', 'unexpected-payment', 'webhook-paused')
              OR w.attempts > 0 OR w.lease_token IS NOT NULL OR w.content IS NOT NULL OR w.id = ANY(v_seen))
            AND (CASE WHEN w.kind IN (
                         'order-placed', 'payment-received', 'order-in-progress', 'order-shipped', 'order-completed',
                         'order-cancelled', 'order-refunded', 'confirmation-rejected'
                       ) THEN 0 WHEN w.kind = 'reminder' THEN 2 ELSE 1 END) = r.rank
          ORDER BY w.due_at, w.id LIMIT v_calls * p_together FOR UPDATE SKIP LOCKED
       ) m
       ORDER BY rank, due_at, id LIMIT v_calls * p_together
    ), beside AS (
      SELECT m.id, 2, m.due_at, m.batch, m.begun_at FROM messages m
       WHERE m.status = 'queued' AND m.begun_at IS NOT NULL
         AND m.batch IN (SELECT d.batch FROM due d WHERE d.begun_at IS NOT NULL)
         AND m.id NOT IN (SELECT d.id FROM due d)
       ORDER BY m.id FOR UPDATE
    ), whole AS (
      SELECT d.*, d.batch IS NULL AND d.begun_at IS NULL AS is_new,
             row_number() OVER (ORDER BY d.rank, d.due_at, d.id) AS place, count(*) OVER () AS total
        FROM (SELECT * FROM due UNION ALL SELECT * FROM beside) d
    ), grouped AS (
      SELECT w.*, CASE
               WHEN w.batch IS NOT NULL THEN w.batch::text
               WHEN NOT w.is_new OR w.total <= v_calls THEN w.id::text
               ELSE 'new ' || (row_number() OVER (PARTITION BY w.is_new ORDER BY w.place) - 1) / p_together
             END AS together
        FROM whole w
    ), calls AS (
      SELECT g.together, (row_number() OVER (ORDER BY min(g.place)) - 1)::int AS call
        FROM grouped g GROUP BY g.together
    ), taken AS (
      UPDATE messages m
         SET lease_token = p_token, due_at = p_now + make_interval(secs => p_lease)
        FROM grouped g JOIN calls c USING (together)
       WHERE m.id = g.id AND c.call < v_calls
      RETURNING m.id, CASE WHEN m.begun_at IS NOT NULL THEN m.batch END AS batch, c.call
    ), paced AS (
      UPDATE message_senders s
         SET next_at = v_first + make_interval(secs => (SELECT max(t.call) + 1 FROM taken t) / p_rate)
       WHERE s.medium = p_medium AND EXISTS (SELECT FROM taken)
    )
    SELECT t.id, t.batch, t.call, extract(epoch FROM v_first - p_now)::float8 + t.call / p_rate
      FROM taken t ORDER BY t.call, t.id;
END $$;
