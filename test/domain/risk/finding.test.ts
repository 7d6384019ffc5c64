import { describe, expect, test } from 'vitest';
import { findingsOf } from '../../../src/domain/risk/finding.ts';
import type { Contacts, Suspect } from '../../../src/domain/risk/kinds/suspect.ts';
import type { BankAccount } from '../../../src/schema/users.ts';
import { later, now } from '../../harness/rows.ts';

const nobody: Contacts = { id: 0, email: null, phone: '', bank_info: '', bank_account: null };

/** The parts of an account. Its text has more digits than its number. */
const parts = (fields: Partial<BankAccount>) => ({
  bank_info: 'BCA 0 a.n. Bo 1',
  bank_account: { bank_code: '014', bank_name: 'BCA', number: '550-123', holder: 'Bo', ...fields },
});

const suspect = (affiliate: Partial<Contacts>, buyer: Partial<Contacts>): Suspect => ({
  tier: 1,
  affiliate: { ...nobody, id: 3, ...affiliate },
  buyer: { ...nobody, id: 4, ...buyer },
  others: [],
  recent: [],
  settings: { country: 'ID', velocity_orders: 5, velocity_hours: 24 },
  now,
});

const kindsOf = (...people: Parameters<typeof suspect>) =>
  findingsOf(suspect(...people), []).map(({ kind }) => kind);

describe('A buyer is suspected to be the affiliate', () => {
  test.each([
    ['self-email', { email: 'ab@mail.example' }, { email: 'AB+shop@Mail.example' }],
    ['self-email', { email: 'x+1@mail.example' }, { email: 'x+2@mail.example' }],
    ['self-email', { email: 'me@gmail.com' }, { email: 'm.e+2@googlemail.com' }],
    ['self-phone', { phone: '+62 812-555-01' }, { phone: '081255501' }],
    ['self-phone', { phone: '0812 555 02' }, { phone: '0062 (812) 555-02' }],
    ['same-bank', { bank_info: 'BCA 123-456-7 a.n. Bo' }, { bank_info: 'bca 01234567' }],
    ['same-bank', { bank_info: 'BCA 12345678 a.n. Bo 2' }, { bank_info: 'BCA KCP 3 1234-5678' }],
    ['same-bank', parts({}), parts({ bank_name: 'BCA KCP 2', holder: 'Bo 2' })],
    ['same-bank', parts({}), parts({ bank_code: '14', number: '0550 123' })],
    ['same-bank', parts({}), parts({ bank_code: 'BCA' })],
    ['same-bank', parts({}), { bank_info: 'Bank 550123' }],
    ['same-bank', parts({ number: 'bo@mail.example' }), { bank_info: 'PayPal BO@mail.example' }],
    ['same-bank', { bank_info: 'bo7@mail.example' }, { bank_info: ' Bo7@mail.example' }],
  ])('by %s, however it is spelled', (kind, affiliate, buyer) => {
    expect(kindsOf(affiliate, buyer)).toEqual([kind]);
  });

  test.each([
    [
      'one has dots in an address outside Gmail',
      { email: 'a.b@x.example' },
      { email: 'ab@x.example' },
    ],
    ['both are at one provider', { email: 'one@mail.example' }, { email: 'two@mail.example' }],
    ['both lack the same things', { bank_info: 'BCA' }, { bank_info: 'BCA' }],
    [
      'the accounts are addresses with the same digits',
      { bank_info: 'bo7@mail.example' },
      { bank_info: 'al7@mail.example' },
    ],
    ['the numbers differ', parts({}), parts({ number: '550124' })],
    ['the banks differ', parts({}), parts({ bank_code: '008' })],
    ['neither has a number', parts({ number: 'cash' }), parts({ number: 'cash' })],
    ['the phones are of two countries', { phone: '0812 4317' }, { phone: '+65 8124317' }],
  ])('but not where %s', (_, affiliate, buyer) => {
    expect(kindsOf(affiliate, buyer)).toEqual([]);
  });

  test('by the pace of orders, in the hours that the settings name', () => {
    const found = (times: number[]) =>
      findingsOf({ ...suspect({}, {}), recent: times }, []).map(({ kind }) => kind);
    const times = (count: number, seconds: number) =>
      Array.from({ length: count }, () => Date.parse(later(seconds)));
    expect(found(times(5, -86_399))).toEqual(['velocity']);
    expect(found(times(4, -1))).toEqual([]);
    expect(found([...times(4, -1), ...times(1, -86_400)])).toEqual([]);
  });
});

test('Another affiliate is suspected by a bank account, a mailbox or a phone', () => {
  const others = [
    { ...nobody, id: 5, bank_info: 'Mandiri 778' },
    { ...nobody, id: 6, email: 'me+2@mail.example' },
    { ...nobody, id: 7, phone: '+62 811' },
    { ...nobody, id: 8, phone: '+62 812' },
  ];
  const affiliate = { email: 'me@mail.example', phone: '0811', bank_info: '778' };
  const found = findingsOf({ ...suspect(affiliate, {}), others }, []);
  expect(found.map(({ kind, other_id }) => [kind, other_id])).toEqual([
    ['shared-bank', 5],
    ['other-account', 6],
    ['other-account', 7],
  ]);
});

describe('Trust exempts', () => {
  const both = { email: 'me@mail.example', phone: '0811', bank_info: '778' };
  const all: Suspect = {
    ...suspect(both, both),
    others: [{ ...nobody, ...both, id: 5 }],
    recent: Array.from({ length: 5 }, () => now.getTime()),
  };
  const rest = (kind: Parameters<typeof findingsOf>[1][number]['kind'], other_id: number) =>
    findingsOf(all, [{ kind, other_id }]).map((finding) => finding.kind);

  test('two people from mailbox, phone and bank account at once', () => {
    expect(rest('self-phone', 4)).toEqual(['shared-bank', 'other-account', 'velocity']);
    expect(rest('self-phone', 9)).toHaveLength(6);
  });

  test('an affiliate from the pace of orders, or from a shared account, with anybody', () => {
    expect(rest('velocity', 9)).not.toContain('velocity');
    expect(rest('shared-bank', 9)).not.toContain('shared-bank');
    expect(rest('other-account', 9)).toContain('other-account');
    expect(rest('other-account', 5)).not.toContain('other-account');
  });
});
