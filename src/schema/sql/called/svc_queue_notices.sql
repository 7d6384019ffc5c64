-- Queues notices by every medium that has a sender, if the store didn't switch them off and the reader has an address there.
-- The buyer of an unpaid order also has the phone number that was typed in its form. Returns true if there is anything to send.
CREATE OR REPLACE FUNCTION svc_queue_notices(p_notices jsonb, p_media text[], p_now timestamptz) RETURNS boolean
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
    LEFT JOIN purchase_forms f ON f.order_id = o.id AND o.paid_at IS NULL
    LEFT JOIN users u ON u.id = coalesce(n.user_id, o.user_id)
    LEFT JOIN message_templates t ON t.kind = n.kind AND t.medium = m.medium
   WHERE coalesce(t.active, true)
     AND CASE WHEN n.user_id IS NULL AND NOT n.of_buyer
           THEN CASE m.medium WHEN 'email' THEN s.notification_email ELSE s.notification_phone END
           ELSE CASE m.medium WHEN 'email' THEN u.email ELSE coalesce(nullif(u.phone, ''), f.phone) END
         END <> ''
   ORDER BY n.ordinality, m.medium;
  RETURN FOUND;
END $$;
