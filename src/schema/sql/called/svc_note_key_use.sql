-- Adds to what API keys were used for, by day in the store's time zone, and to the last refusals of each: 50
-- are kept. Rows are taken in the order of their keys, so that two who note at once wait for each other at most.
-- p_key was used just now.
CREATE OR REPLACE FUNCTION svc_note_key_use(p_uses jsonb, p_refusals jsonb, p_key bigint, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO api_key_use AS u (api_key_id, day, operation, outcome, n)
  SELECT e.key, (e.at AT TIME ZONE s.timezone)::date, e.operation, e.outcome, sum(e.n)
    FROM jsonb_to_recordset(p_uses) AS e (key bigint, at timestamptz, operation text, outcome text, n int)
    JOIN api_keys k ON k.id = e.key
   CROSS JOIN settings s
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (api_key_id, day, operation, outcome) DO UPDATE SET n = u.n + excluded.n;
  INSERT INTO api_key_refusals (api_key_id, at, operation, status, code, request_id)
  SELECT e.key, e.at, e.operation, e.status, e.code, e.request_id
    FROM ROWS FROM (jsonb_to_recordset(p_refusals) AS (
           key bigint, at timestamptz, operation text, status int, code text, request_id text
         )) WITH ORDINALITY AS e
    JOIN api_keys k ON k.id = e.key
   ORDER BY e.ordinality;
  DELETE FROM api_key_refusals WHERE id = ANY (ARRAY(
    SELECT o.id FROM (SELECT DISTINCT key FROM jsonb_to_recordset(p_refusals) AS e (key bigint)) k
     CROSS JOIN LATERAL (
       SELECT r.id FROM api_key_refusals r WHERE r.api_key_id = k.key ORDER BY r.id DESC OFFSET 50) o
     ORDER BY o.id));
  UPDATE api_keys SET last_used_at = p_now
   WHERE id = p_key AND (last_used_at IS NULL OR last_used_at <= p_now - interval '1 minute');
END $$;
