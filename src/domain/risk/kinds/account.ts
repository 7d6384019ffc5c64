import type { Contacts } from './suspect.ts';

type Account = Pick<Contacts, 'bank_info' | 'bank_account'>;

const email = /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+/g;

const digitsIn = (text: string): string => text.replace(/[^0-9]/g, '');

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/**
 * Returns the key by which accounts are compared: the digits of the number, or an e-mail address that money is sent to. In an
 * account as text, the number is the first group of eight digits or more, or all digits; the rest may name a branch or a
 * holder. The index `users_account` has the same key.
 */
export function accountKey({ bank_info, bank_account }: Account): string {
  const text = (bank_account?.number ?? bank_info).normalize('NFKC');
  const rest = text.replace(email, '');
  const number = bank_account
    ? digitsIn(rest) || undefined
    : /[0-9]{8,}/.exec(rest.replace(/[-./]/g, ''))?.[0];
  if (number !== undefined) return withoutZeros(number);
  return text.match(email)?.[0].toLowerCase() ?? withoutZeros(digitsIn(rest));
}

/** Returns the number in a bank's code, or an empty text. Names of banks have too many spellings to tell them apart. */
const bankOf = ({ bank_account }: Account): string =>
  withoutZeros(/[0-9]+/.exec(bank_account?.bank_code.normalize('NFKC') ?? '')?.[0] ?? '');

export function isSameAccount(a: Account, b: Account): boolean {
  const key = accountKey(a);
  const banks = [bankOf(a), bankOf(b)];
  return key !== '' && key === accountKey(b) && (banks.includes('') || banks[0] === banks[1]);
}
