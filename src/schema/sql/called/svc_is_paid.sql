-- Whether a status of orders counts as paid: the same as paidStatuses of src/schema/lists.ts.
CREATE OR REPLACE FUNCTION svc_is_paid(p_status text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_status IN ('in-progress', 'shipping', 'completed')
$$;
