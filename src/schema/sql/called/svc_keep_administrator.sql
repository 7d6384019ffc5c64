-- Comes before an administrator loses the role or the way in: one leaves at a time, and never the last
-- who isn't blocked. What the one before committed is seen, because each statement here takes a
-- snapshot of its own.
CREATE OR REPLACE FUNCTION svc_keep_administrator(p_leaving bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('users.administrators'));
  PERFORM svc_guard(EXISTS (
    SELECT FROM users
     WHERE id <> p_leaving AND status = 'active' AND roles @> '{administrator}'
  ), 'last_administrator');
END $$;
