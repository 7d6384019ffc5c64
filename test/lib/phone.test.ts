import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dialledNumber,
  isPhoneText,
  isSamePhone,
  phoneNumber,
  phonePart,
} from '../../src/lib/phone.ts';

/** Countries with their calling code, their trunk prefix and their mobile numbers. */
const countries = [
  { country: 'ID', code: '62', trunk: '0', begins: '8', lengths: [9, 12] },
  { country: 'GB', code: '44', trunk: '0', begins: '7', lengths: [10, 10] },
  { country: 'DE', code: '49', trunk: '0', begins: '15', lengths: [10, 11] },
  { country: 'FR', code: '33', trunk: '0', begins: '6', lengths: [9, 9] },
  { country: 'IN', code: '91', trunk: '0', begins: '9', lengths: [10, 10] },
  { country: 'US', code: '1', trunk: '1', begins: '2', lengths: [10, 10] },
  { country: 'RU', code: '7', trunk: '8', begins: '9', lengths: [10, 10] },
  { country: 'HU', code: '36', trunk: '06', begins: '30', lengths: [9, 9] },
  { country: 'IT', code: '39', trunk: '', begins: '39', lengths: [9, 10] },
  { country: 'SG', code: '65', trunk: '', begins: '8', lengths: [8, 8] },
  { country: 'HK', code: '852', trunk: '', begins: '5', lengths: [8, 8] },
] as const;

const digitsOf = (least: number, most: number) =>
  fc.string({ unit: fc.nat(9).map(String), minLength: least, maxLength: most });

const numberOf = ({ begins, lengths: [least, most] }: (typeof countries)[number]) =>
  digitsOf(least - begins.length, most - begins.length).map((rest) => begins + rest);

const spaced = (text: string) =>
  fc
    .array(fc.constantFrom('', '', '', ' ', '-', '.', '/', ' (', ') '), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((gaps) => Array.from(text, (digit, i) => digit + (gaps[i] ?? '')).join(''));

describe.each(countries)('A number of $country', (place) => {
  const { country, code, trunk } = place;

  test('is the same in every national spelling, and everywhere in the spellings with its calling code', () => {
    fc.assert(
      fc.property(
        numberOf(place).chain((number) => {
          const abroad = [`+${code}${number}`, `00${code}${number}`, `+${code}${trunk}${number}`];
          const home = [number, trunk + number, code + number];
          return fc.tuple(
            fc.constant(`+${code}${number}`),
            fc.oneof(...abroad.map(spaced)),
            fc.oneof(...home.map(spaced)),
          );
        }),
        (given) => {
          const [number, abroad, home] = given;
          expect(phoneNumber(abroad, country)).toBe(number);
          expect(phoneNumber(home, country)).toBe(number);
          for (const elsewhere of ['', 'ID', 'US', 'IT', 'AQ']) {
            expect(phoneNumber(abroad, elsewhere)).toBe(number);
          }
        },
      ),
    );
  });

  test('differs from every other number of it', () => {
    fc.assert(
      fc.property(numberOf(place), numberOf(place), (one, other) => {
        expect(isSamePhone(trunk + one, `+${code}${other}`, country)).toBe(one === other);
      }),
    );
  });
});

test.each(['0812-3456-789', '812 3456 789', '628123456789', '+62 812 3456 789', '00628123456789'])(
  'In Indonesia %s is +628123456789',
  (text) => {
    expect(phoneNumber(text, 'ID')).toBe('+628123456789');
    expect(phoneNumber(phoneNumber(text, 'ID'), 'ID')).toBe('+628123456789');
  },
);

test('The same digits in two countries are two numbers', () => {
  expect(isSamePhone('0812 3456 789', '+65 812 3456 789', 'ID')).toBe(false);
  expect(isSamePhone('+62 812 3456 789', '+63 812 3456 789', 'ID')).toBe(false);
});

describe('A store without a country', () => {
  test('recognises a number by its calling code, with and without the prefix before it', () => {
    for (const text of ['+62 812 555', '0062812555', '62812555', '+62 (0)812 555']) {
      expect(phoneNumber(text, ''), text).toBe('+62812555');
    }
  });

  test('sends to a number only after + or 00', () => {
    for (const country of ['', 'AQ']) {
      for (const text of ['0812 3456 7890', '812 3456 7890', '62812555000'])
        expect(dialledNumber(text, country), text).toBe('');
      for (const text of ['+62 812 555 000', '0062812555000', '(+62) 0812-555-000'])
        expect(dialledNumber(text, country), text).toBe('+62812555000');
    }
    expect(dialledNumber('0812 3456 7890', 'ID')).toBe('+6281234567890');
  });

  test('compares other numbers by their digits', () => {
    expect(isSamePhone('0812-555', '(812) 555', '')).toBe(true);
    expect(isSamePhone('0812-555', '+62 812-555', '')).toBe(false);
  });
});

test('A text without digits is no phone, and equals no other', () => {
  for (const text of ['', ' ', '-', 'none', '000', '+']) {
    expect(phoneNumber(text, 'ID'), text).toBe('');
    expect(isSamePhone(text, text, 'ID')).toBe(false);
  }
});

test.each([
  ['+1 (555) 010-9999 ext 5', '+15550109999'],
  ['+1 555 010 9999x5', '+15550109999'],
  ['+1 555 010 9999 #5', '+15550109999'],
  ['0812-3456-789 (WA)', '+628123456789'],
  ['0812-3456-789, 0813-3456-789', '+628123456789'],
  ['０８１２３４５６７８９', '+628123456789'],
  ['tel:0812-3456-789', '+628123456789'],
])('%j is %s: text after a number is not part of it', (text, number) => {
  expect(phoneNumber(text, 'ID')).toBe(number);
});

test.each([
  '',
  '-',
  'none',
  '0812 345',
  '+62 (0)812',
  '(+62) 812',
  '+1 555 0100 ext 5',
  '0171/123',
])('%j can be stored as a phone', (text) => expect(isPhoneText(text)).toBe(true));

test.each(['tel:0812', '++62 812', '+62 +812', 'WA 0812', '0812\n345', '0812+'])(
  '%j is refused as a phone',
  (text) => expect(isPhoneText(text)).toBe(false),
);

test('A text of a million hyphens is searched without backtracking over them', () => {
  const signs = '-'.repeat(1_000_000);
  expect(isPhoneText(`${signs}:1`)).toBe(false);
  expect(isPhoneText(`${signs}+1`)).toBe(true);
});

test('A part of a phone number is distinguished from other words', () => {
  expect(phonePart('0812-345')).toEqual({ digits: '0812345' });
  expect(phonePart('+62 (0)812')).toEqual({ digits: '62812', national: '812', code: '62' });
  for (const words of ['12', '0812 ext', 'INV-077', 'anna@x.example']) {
    expect(phonePart(words), words).toBeUndefined();
  }
});

test('Any text is read in one way, whatever the country', () => {
  const country = fc.constantFrom('', 'XX', 'AQ', ...countries.map((place) => place.country));
  fc.assert(
    fc.property(fc.string(), country, (text, where) => {
      expect(phoneNumber(text, where)).toMatch(/^(\+\d+)?$/);
    }),
  );
});
