-- Schedules the messages that templates make of a moment of something: one for each medium its user
-- has an address of, at the template's hour in the store's time zone. What was scheduled before and
-- cancelled comes back; what was sent is not sent again; what would be in the past is left out.
CREATE OR REPLACE FUNCTION svc_schedule_reminders(
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
