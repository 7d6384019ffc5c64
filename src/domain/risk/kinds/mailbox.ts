/** Removes what providers ignore: case, a +tag and, at Gmail, dots. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const untagged = local.replace(/\+.*$/, '');
  return ['gmail.com', 'googlemail.com'].includes(domain)
    ? `${untagged.replaceAll('.', '')}@gmail.com`
    : `${untagged}@${domain}`;
}

export const isSameMailbox = (a: string | null, b: string | null): boolean =>
  Boolean(a) && Boolean(b) && mailboxOf(a ?? '') === mailboxOf(b ?? '');
