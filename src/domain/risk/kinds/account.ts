import { isEmail } from '../../../lib/email.ts';

/** The digits of an account, or an e-mail address that money is sent to. */
const identityOf = (account: string): string => {
  const text = account.trim().toLowerCase();
  return isEmail(text) ? text : text.replace(/\D/g, '').replace(/^0+/, '');
};

export const isSameAccount = (a: string, b: string): boolean =>
  identityOf(a) !== '' && identityOf(a) === identityOf(b);
