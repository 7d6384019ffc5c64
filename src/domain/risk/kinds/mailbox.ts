/** An e-mail address without what its provider ignores: case, a +tag and, at Gmail, dots. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const untagged = local.replace(/\+.*$/, '');
  return ['gmail.com', 'googlemail.com'].includes(domain)
    ? `${untagged.replaceAll('.', '')}@gmail.com`
    : `${untagged}@${domain}`;
}

/** Tells if two e-mail addresses lead to one mailbox. */
export const isSameMailbox = (a: string | null, b: string | null): boolean =>
  Boolean(a) && Boolean(b) && mailboxOf(a ?? '') === mailboxOf(b ?? '');
