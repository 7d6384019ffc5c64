CREATE OR REPLACE FUNCTION svc_total_slot(p_row jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE
RETURN coalesce((p_row ->> 'order_id')::bigint, (p_row ->> 'id')::bigint) % 8;
