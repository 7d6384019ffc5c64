CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- A refusal the service turns into an API error: SQLSTATE SV001, the error's code as the message,
-- {"status", "message"} as the detail, and "key" where it is known which API key was refused.
CREATE FUNCTION svc_refuse(p_code text, p_status int, p_message text, p_key bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SV001', MESSAGE = p_code,
    DETAIL = json_build_object('status', p_status, 'message', p_message, 'key', p_key)::text;
END $$;
--> statement-breakpoint
-- Holds a write to what its decision was based on: SQLSTATE SV002 undoes the whole batch.
CREATE FUNCTION svc_guard(p_holds boolean, p_code text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'SV002', MESSAGE = p_code;
  END IF;
END $$;
--> statement-breakpoint
-- The first statement of every request made with an API key. Refuses, or answers with the key and
-- leaves its identity in the transaction-local setting svc.caller.
CREATE FUNCTION svc_authorize_key(
  p_prefix text, p_hashes text[], p_scopes text[], p_ip text, p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  k record;
BEGIN
  -- One query for all of it: each further one costs as much as the look-up.
  SELECT a.id, a.scopes && p_scopes AS may,
         a.ip_allow IS NULL OR coalesce(p_ip::inet <<= ANY (a.ip_allow::inet[]), false) AS here,
         jsonb_build_object('id', a.id, 'scopes', a.scopes, 'last_used_at', a.last_used_at,
           'signs_in_administrators', a.signs_in_administrators) AS shown,
         set_config('svc.caller', 'key:' || a.id, true)
    INTO k
    FROM api_key_secrets s JOIN api_keys a ON a.id = s.api_key_id
   WHERE s.prefix = p_prefix AND s.hash = ANY (p_hashes) AND a.revoked_at IS NULL
     AND (a.expires_at IS NULL OR a.expires_at > p_now)
     AND (s.expires_at IS NULL OR s.expires_at > p_now);
  IF NOT FOUND THEN
    PERFORM svc_refuse('rest_forbidden', 401, 'Invalid API key.');
  END IF;
  IF NOT k.here THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'This API key may not be used from this address.', k.id);
  END IF;
  IF NOT k.may THEN
    PERFORM svc_refuse('rest_forbidden', 403, 'Insufficient scope.', k.id);
  END IF;
  RETURN k.shown;
END $$;
--> statement-breakpoint
-- The first statement of every request made with a session token. p_admin is the token's hint that
-- its user is an administrator: where the user's roles disagree, SQLSTATE SV003 asks the service to
-- plan again. p_roles limits the operation to users with one of these roles; an administrator's is
-- nobody's while switched. Whoever acts as the user is another caller than the user. A switched
-- session also ends with the one it was made from, which is the actor's: p_actor_sid, p_actor_issued.
CREATE FUNCTION svc_authorize_session(
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
--> statement-breakpoint
-- The first statement of every request of the console. p_roles limits the operation to users with one of
-- these roles, p_since to sessions that were signed in since then; a session nobody used since p_active is over.
CREATE FUNCTION svc_authorize_console(
  p_prefix text, p_hashes text[], p_roles text[], p_since timestamptz, p_active timestamptz,
  p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  s record;
BEGIN
  SELECT u.roles && p_roles AS may,
         p_since IS NULL OR c.authenticated_at >= p_since AS fresh,
         jsonb_build_object('id', c.id, 'user_id', u.id, 'roles', u.roles, 'seen_at', c.seen_at) AS shown,
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
--> statement-breakpoint
-- Comes before an administrator loses the role or the way in: one leaves at a time, and never the last
-- who isn't blocked. What the one before committed is seen, because each statement here takes a
-- snapshot of its own.
CREATE FUNCTION svc_keep_administrator(p_leaving bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('users.administrators'));
  PERFORM svc_guard(EXISTS (
    SELECT FROM users
     WHERE id <> p_leaving AND status = 'active' AND roles @> '{administrator}'
  ), 'last_administrator');
END $$;
--> statement-breakpoint
-- Takes an Idempotency-Key for the transaction's effect. A twin in flight is waited for, 2 s at most:
-- then 23505 (it committed: replay it) or 55P03 (it is still at work).
CREATE FUNCTION svc_claim_idempotency(
  p_operation text, p_key text, p_fingerprint text, p_status int, p_body text, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
BEGIN
  INSERT INTO idempotency_keys (caller, operation, key, fingerprint, status, body, created_at)
  VALUES (current_setting('svc.caller'), p_operation, p_key, p_fingerprint, p_status, p_body, p_now);
END $$;
--> statement-breakpoint
-- Adds to what API keys were used for, by day in the store's time zone, and to the last refusals of each: 50
-- are kept. Rows are taken in the order of their keys, so that two who note at once wait for each other at most.
-- p_key was used just now.
CREATE FUNCTION svc_note_key_use(p_uses jsonb, p_refusals jsonb, p_key bigint, p_now timestamptz) RETURNS void
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
--> statement-breakpoint
-- The moment a filter value stands for: an RFC 3339 instant as it is, a plain date as its start in
-- the store's time zone, or with p_end as the start of the next day.
CREATE FUNCTION svc_day(p_value text, p_end boolean) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF length(p_value) > 10 THEN
    RETURN p_value::timestamptz;
  END IF;
  RETURN (p_value::date + p_end::int)::timestamp AT TIME ZONE (SELECT timezone FROM settings);
END $$;
--> statement-breakpoint
-- The functions below are statements of every order. They are functions for their plans' sake, which
-- a connection keeps: to plan them took longer than to run them. Left alone, PostgreSQL plans them anew
-- for values whose plan it takes for cheaper.
--
-- Everybody who may earn from an order of a product, for each of those it may count for (root): up the
-- tree for as many tiers as the product has. A user who comes again ends the chain. LIMIT 1 has a kept
-- plan look each of them up: expecting long chains, it would read all users.
CREATE FUNCTION svc_commission_chains(p_product bigint, p_candidates bigint[])
RETURNS TABLE (root bigint, tier int, commission_id bigint, person jsonb, sales bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tiers int := (
    SELECT max((t ->> 'tier')::int)
      FROM products p, jsonb_array_elements(p.affiliate -> 'tiers') t
     WHERE p.id = p_product AND (p.affiliate ->> 'enabled')::boolean);
BEGIN
  IF tiers > 0 THEN
    RETURN QUERY
      WITH RECURSIVE chains (root, tier, id, path) AS (
        SELECT DISTINCT c.id, 1, c.id, ARRAY[c.id] FROM unnest(p_candidates) c (id) WHERE c.id IS NOT NULL
        UNION ALL
        SELECT h.root, h.tier + 1, u.affiliate_id, h.path || u.affiliate_id
          FROM chains h CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = h.id LIMIT 1) u
         WHERE h.tier < tiers AND u.affiliate_id IS NOT NULL AND u.affiliate_id <> ALL (h.path)
      )
      SELECT h.root, h.tier, nextval('commissions_id_seq'),
             jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'roles', u.roles,
               'bank_info', u.bank_info, 'status', u.status, 'group', to_jsonb(g)),
             (SELECT coalesce(sum(r.orders), 0)::bigint FROM order_rollups r
               WHERE r.dimension = 'affiliate' AND r.key = u.id AND r.status = 'completed')
        FROM chains h CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = h.id LIMIT 1) u
        LEFT JOIN user_groups g ON g.id = u.group_id
       ORDER BY h.root, h.tier;
  END IF;
END $$;
--> statement-breakpoint
-- Schedules the messages that templates make of a moment of something: one for each medium its user
-- has an address of, at the template's hour in the store's time zone. What was scheduled before and
-- cancelled comes back; what was sent is not sent again; what would be in the past is left out.
CREATE FUNCTION svc_schedule_reminders(
  p_type text, p_order bigint, p_subscription bigint, p_user bigint, p_moment timestamptz,
  p_occurrence text, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO reminders AS r (order_id, subscription_id, user_id, recipient, title, content, media_type,
    reminder_type, asks_payment, send_day, send_hours, scheduled_at, status, template_id, occurrence, created_at,
    updated_at)
  SELECT p_order, p_subscription, p_user, a.recipient, t.title, t.content, m.media, p_type,
         p_type = 'order', d.days,
         t.hour, w.at, 'pending', t.id, p_occurrence, p_now, p_now
    FROM reminder_templates t
   CROSS JOIN settings
    JOIN users u ON u.id = p_user
   CROSS JOIN unnest(t.media) m (media)
   CROSS JOIN LATERAL (
     SELECT CASE m.media WHEN 'email' THEN coalesce(u.email, '') ELSE u.phone END) a (recipient)
   CROSS JOIN LATERAL (
     SELECT CASE t.direction WHEN 'before' THEN -t.offset_days ELSE t.offset_days END) d (days)
   CROSS JOIN LATERAL (
     SELECT ((p_moment AT TIME ZONE settings.timezone)::date + d.days + make_interval(hours => t.hour))
            AT TIME ZONE settings.timezone) w (at)
   WHERE t.active AND t.type = p_type AND a.recipient <> '' AND w.at > p_now
   ORDER BY t.id, m.media
  ON CONFLICT (order_id, template_id, media_type, occurrence) DO UPDATE
    SET status = 'pending', scheduled_at = excluded.scheduled_at, updated_at = excluded.updated_at,
        version = r.version + 1
  WHERE r.status = 'cancelled';
END $$;
--> statement-breakpoint
-- Writes events into the outbox, one row for each webhook that wants one; those of a paused webhook
-- wait. Answers whether any of the rows can be delivered at once.
CREATE FUNCTION svc_publish_events(p_events jsonb, p_now timestamptz) RETURNS boolean
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
--> statement-breakpoint
-- Queues what people are to be told of, by every medium that a sender was set up for, where the store
-- didn't switch it off and they have an address there. Answers whether there is anything to send.
CREATE FUNCTION svc_queue_messages(p_notices jsonb, p_media text[], p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO messages (kind, medium, user_id, order_id, record_id, status, due_at, created_at, updated_at)
  SELECT n.kind, m.medium, u.id, n.order_id, n.record_id, 'queued', p_now, p_now, p_now
    FROM ROWS FROM (jsonb_to_recordset(p_notices) AS (
           kind text, user_id bigint, of_buyer boolean, order_id bigint, record_id bigint
         )) WITH ORDINALITY AS n
   CROSS JOIN unnest(p_media) m (medium)
   CROSS JOIN settings s
    LEFT JOIN orders o ON n.of_buyer AND o.id = n.order_id
    LEFT JOIN users u ON u.id = coalesce(n.user_id, o.user_id)
    LEFT JOIN message_templates t ON t.kind = n.kind AND t.medium = m.medium
   WHERE coalesce(t.active, true)
     AND CASE WHEN n.user_id IS NULL AND NOT n.of_buyer
           THEN CASE m.medium WHEN 'email' THEN s.notification_email ELSE s.notification_phone END
           ELSE CASE m.medium WHEN 'email' THEN u.email ELSE u.phone END
         END <> ''
   ORDER BY n.ordinality, m.medium;
  RETURN FOUND;
END $$;
--> statement-breakpoint
-- Claims messages of a medium that are due, for as long as the lease lasts: as many as its sender takes
-- within the next p_ahead seconds, each with the seconds until its turn. Reminders let others go first.
-- Whoever claims some waits for whoever does so before: together they keep to the sender's pace.
CREATE FUNCTION svc_claim_messages(
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
      SELECT m.id, (m.kind = 'reminder')::int AS waits, m.due_at FROM messages m
       WHERE m.medium = p_medium AND m.status = 'queued' AND m.due_at <= p_now
       ORDER BY (m.kind = 'reminder')::int, m.due_at, m.id LIMIT v_room FOR UPDATE SKIP LOCKED
    ), turn AS (
      SELECT due.id, row_number() OVER (ORDER BY due.waits, due.due_at, due.id) - 1 AS behind FROM due
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
--> statement-breakpoint
-- Whether a status of orders counts as paid: the same as paidStatuses of src/schema/lists.ts.
CREATE FUNCTION svc_is_paid(p_status text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_status IN ('in-progress', 'shipping', 'completed')
$$;
