-- The key by which bank accounts are compared, like `accountKey` of src/domain/risk/kinds/account.ts. PostgreSQL replaces a call
-- by this expression, which is that of the index `users_account`.
CREATE OR REPLACE FUNCTION svc_account_key(p_info text, p_account jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(
    ltrim(CASE WHEN p_account IS NULL
      THEN substring(regexp_replace(regexp_replace(normalize(coalesce(p_account ->> 'number', p_info), NFKC),
        '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[-./]', '', 'g') from '[0-9]{8,}')
      ELSE nullif(regexp_replace(regexp_replace(normalize(coalesce(p_account ->> 'number', p_info), NFKC),
        '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[^0-9]', '', 'g'), '') END, '0'),
    lower(substring(normalize(coalesce(p_account ->> 'number', p_info), NFKC)
      from '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+')),
    ltrim(regexp_replace(regexp_replace(normalize(coalesce(p_account ->> 'number', p_info), NFKC),
      '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+', '', 'g'), '[^0-9]', '', 'g'), '0'))
$$;
