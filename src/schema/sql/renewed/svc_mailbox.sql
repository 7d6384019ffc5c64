-- The mailbox of an e-mail address, like `mailboxOf` of src/domain/risk/kinds/mailbox.ts.
CREATE OR REPLACE FUNCTION svc_mailbox(p_email text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN split_part(p_email, '@', 2) IN ('gmail.com', 'googlemail.com')
    THEN replace(regexp_replace(split_part(p_email, '@', 1), '[+].*$', ''), '.', '') || '@gmail.com'
    ELSE regexp_replace(split_part(p_email, '@', 1), '[+].*$', '') || '@' || split_part(p_email, '@', 2) END
$$;
