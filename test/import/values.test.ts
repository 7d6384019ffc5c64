import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestAmount } from '../../src/lib/money.ts';
import {
  addressOf,
  amountOf,
  emailOf,
  epochOf,
  idOf,
  localOf,
  utcOf,
} from '../../packages/import/src/values.ts';

test.each([
  [' A&B@Shop.Example ', 'a&b@shop.example'],
  ['c/d=e@shop.example', 'c/d=e@shop.example'],
  ['user@xn--e1afmkfd.xn--p1ai', 'user@xn--e1afmkfd.xn--p1ai'],
  // The Kelvin sign is k in lower case, so it is refused.
  ['\u212aen@shop.example', null],
  ['a@x.example, b@x.example', null],
  ['', null],
  [null, null],
])('An address of a dump (%j) is an e-mail address if the service accepts it', (text, email) => {
  expect(emailOf(text)).toBe(email);
});

describe('An amount', () => {
  test('has the value of its digits, rounded half up and away from zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 4 }),
        (digits, decimals, exponent) => {
          const magnitude = digits < 0n ? -digits : digits;
          const text = magnitude.toString().padStart(decimals + 1, '0');
          const whole = text.slice(0, text.length - decimals);
          const decimal = `${digits < 0n ? '-' : ''}${whole}.${text.slice(text.length - decimals)}`;
          const scaled = magnitude * 10n ** BigInt(exponent);
          const unit = 10n ** BigInt(decimals);
          const units = (2n * scaled + unit) / (2n * unit);
          const read = amountOf(decimal, exponent);
          if (units > BigInt(largestAmount)) expect(read).toBeUndefined();
          else {
            expect(BigInt(read?.units ?? NaN)).toBe(digits < 0n ? -units : units);
            expect(read?.rounded).toBe(scaled % unit !== 0n);
          }
        },
      ),
    );
  });

  test.each(['', null, '  '])('that is missing (%j) is undefined', (text) => {
    expect(amountOf(text, 2)).toBeUndefined();
  });

  test.each([
    ['1e5', 10_000_000],
    ['1.0E+5', 10_000_000],
    ['-2.5e-1', -25],
    ['0.125e2', 1250],
    ['0e999', 0],
  ])('in scientific notation (%s) is exact', (text, units) => {
    expect(amountOf(text, 2)).toEqual({ units, rounded: false });
  });

  test.each(['12,50', '1e99', '1e-99999999999', 'Rp 5', '-', '.', 'NaN', '1.2.3', '9'.repeat(30)])(
    'that is no number (%s) is undefined',
    (text) => {
      expect(amountOf(text, 2)).toBeUndefined();
    },
  );

  test('that rounds to 0 from below is 0 without a sign', () => {
    expect(Object.is(amountOf('-0.001', 2)?.units, 0)).toBe(true);
  });
});

describe('A moment', () => {
  test('on the clocks of a zone is one in UTC', () => {
    expect(localOf('2024-05-01 08:30:00', 'Asia/Jakarta')).toBe('2024-05-01T01:30:00.000Z');
    // Changes of the clocks, as PostgreSQL reads them.
    expect(localOf('2024-03-31 02:30:00', 'Europe/Berlin')).toBe('2024-03-31T01:30:00.000Z');
    expect(localOf('2024-10-27 02:30:00', 'Europe/Berlin')).toBe('2024-10-27T01:30:00.000Z');
  });

  test.each([
    '0000-00-00 00:00:00',
    '',
    null,
    '2024-02-31 10:00:00',
    '1970-01-01 00:00:00',
    '9999-12-31 00:00:00',
  ])('in a text that is no moment (%j) is null', (text) => {
    expect(utcOf(text)).toBeNull();
  });

  test('in seconds is read as UTC, and 0 is null', () => {
    expect(epochOf('1714550400')).toBe('2024-05-01T08:00:00.000Z');
    expect(epochOf('0')).toBeNull();
  });
});

test('0, an empty text and a negative number are no ids', () => {
  expect([idOf('0'), idOf(''), idOf(null), idOf('-3'), idOf('7')]).toEqual([
    null,
    null,
    null,
    null,
    7,
  ]);
});

test('An address of a user, which WordPress keeps escaped, is read once', () => {
  expect(emailOf(' Tom&amp;Jerry@mail.example')).toBe('tom&jerry@mail.example');
  expect(emailOf('o&#039;brien@mail.example')).toBe("o'brien@mail.example");
  expect(addressOf('a&amp;b@shöpware')).toBe('a&b@shöpware');
});
