-- Holds a write to what its decision was based on: SQLSTATE SV002 undoes the whole batch.
CREATE OR REPLACE FUNCTION svc_guard(p_holds boolean, p_code text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'SV002', MESSAGE = p_code;
  END IF;
END $$;
