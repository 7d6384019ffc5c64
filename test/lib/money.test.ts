import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalText,
  formatAmount,
  formatMoney,
  largestAmount,
  moneyFormat,
  percentOf,
  rescaled,
  shareOf,
  taxWithin,
  unitsOf,
} from '../../src/lib/money.ts';

const amount = fc.integer({ min: -largestAmount, max: largestAmount });
const positive = fc.integer({ min: 0, max: largestAmount });
/** Percentages with up to four decimals, in ten-thousandths. */
const rate = fc.integer({ min: 0, max: 1_000_000 });

/** True if `rounded` is n / d rounded half away from zero. */
function isHalfUp(rounded: number, n: bigint, d: bigint): boolean {
  const off = 2n * (BigInt(rounded) * d - n);
  const away = n < 0n ? -off : off;
  return -d < away && away <= d;
}

describe('A percentage of an amount', () => {
  test('is rounded half up to a whole unit, exactly', () => {
    fc.assert(
      fc.property(amount, rate, (of, ten) => {
        const n = BigInt(of) * BigInt(ten);
        expect(isHalfUp(percentOf(of, ten / 10_000), n, 1_000_000n)).toBe(true);
      }),
    );
  });

  test.each([
    [100, 12.5, 13],
    [-100, 12.5, -13],
    [101, 50, 51],
    [99, 50, 50],
    [1, 49.9999, 0],
    [largestAmount, 100, largestAmount],
    [largestAmount, 33.3333, 2_999_997_000_000],
    [12_345, 0, 0],
  ])('%d at %d per cent is %d', (of, percent, part) => {
    expect(percentOf(of, percent)).toBe(part);
  });
});

describe('The tax within an amount', () => {
  test('is the tax on the amount without it', () => {
    fc.assert(
      fc.property(amount, rate, (of, ten) => {
        const n = BigInt(of) * BigInt(ten);
        expect(isHalfUp(taxWithin(of, ten / 10_000), n, 1_000_000n + BigInt(ten))).toBe(true);
      }),
    );
  });

  test.each([
    [11_100, 11, 1100],
    [10_000, 11, 991],
    [200, 100, 100],
    [10_000, 0, 0],
  ])('of %d at %d per cent is %d', (of, percent, tax) => {
    expect(taxWithin(of, percent)).toBe(tax);
  });
});

describe('A share of an amount', () => {
  test('is its part of the whole, rounded half up', () => {
    fc.assert(
      fc.property(amount, positive, positive, (of, part, whole) => {
        const share = shareOf(of, part, whole);
        if (whole === 0) expect(share).toBe(0);
        else if (Math.abs(share) <= Number.MAX_SAFE_INTEGER) {
          expect(isHalfUp(share, BigInt(of) * BigInt(part), BigInt(whole))).toBe(true);
        }
      }),
    );
  });

  test('of nothing is nothing, and of everything it is everything', () => {
    expect([shareOf(500, 3, 0), shareOf(500, 0, 3), shareOf(500, 3, 3)]).toEqual([0, 0, 500]);
    expect([shareOf(1, 1, 2), shareOf(-1, 1, 2), shareOf(1, 1, 3)]).toEqual([1, -1, 0]);
  });
});

test.each([
  [0, 0, 'USD 0', 'USD 0'],
  [0, 2, 'USD 0.00', 'USD 0.00'],
  [5, 2, 'USD 0.05', 'USD 0.05'],
  [99, 0, 'USD 99', 'USD 99'],
  [1250, 2, 'USD 12.50', 'USD 12.50'],
  [350_000, 0, 'USD 350000', 'USD 350,000'],
  [1_234_567, 0, 'USD 1234567', 'USD 1,234,567'],
  [123_456_789, 2, 'USD 1234567.89', 'USD 1,234,567.89'],
  [1_234_567, 3, 'USD 1234.567', 'USD 1,234.567'],
])('%d with %d decimals is written %s and read %s', (of, exponent, written, read) => {
  expect(formatMoney(of, 'USD', exponent)).toBe(written);
  expect(formatAmount(of, 'USD', exponent)).toBe(read);
});

test.each([
  [-1, 0, 'IDR -1', 'IDR -1'],
  [-1_234_567, 2, 'IDR -12345.67', 'IDR -12,345.67'],
  [-5, 2, 'IDR -0.05', 'IDR -0.05'],
  [-50, 2, 'IDR -0.50', 'IDR -0.50'],
  [-5, 3, 'IDR -0.005', 'IDR -0.005'],
])(
  'a negative %d with %d decimals has its sign before its digits',
  (of, exponent, written, read) => {
    expect(formatMoney(of, 'IDR', exponent)).toBe(written);
    expect(formatAmount(of, 'IDR', exponent)).toBe(read);
  },
);

test('an amount as a decimal number has its sign, the digits of its units and all decimals', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 4 }), (of, exponent) => {
      const text = decimalText(of, exponent);
      const [, sign, whole = '', decimals = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
      expect([sign, decimals.length]).toEqual([of < 0 ? '-' : '', exponent]);
      expect(Number(whole + decimals)).toBe(Math.abs(of));
    }),
  );
});

test('sums over a thousand of the largest amounts are exact', () => {
  expect(Number.isSafeInteger(largestAmount * 1000)).toBe(true);
  expect(largestAmount).toBe(9_000_000_000_000);
});

describe('Units of a decimal number', () => {
  const units = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  const exponent = fc.integer({ min: 0, max: 4 });

  test('are the same after they were written and read', () => {
    fc.assert(
      fc.property(units, exponent, (of, decimals) => {
        const text = decimalText(of, decimals);
        expect(unitsOf(text, decimals)).toBe(of);
        expect(unitsOf(`${text}${decimals === 0 ? '.' : ''}00`, decimals)).toBe(of);
      }),
    );
  });

  test.each([
    ['12.5', 2, 1250],
    ['0.05', 2, 5],
    ['10000.00', 0, 10_000],
    ['9000000000000.00', 2, 900_000_000_000_000],
    ['12.505', 2, undefined],
    ['0.5', 0, undefined],
    ['-1', 2, undefined],
    ['1e3', 2, undefined],
    ['1,000', 2, undefined],
    ['', 2, undefined],
    ['.5', 2, undefined],
    ['5.', 2, undefined],
    ['9007199254740993', 0, undefined],
    ['90071992547409.93', 2, undefined],
  ])('of %j with %d decimals are %s', (text, decimals, of) => {
    expect(unitsOf(text, decimals)).toBe(of);
  });

  test('are converted to another exponent exactly, or not at all', () => {
    fc.assert(
      fc.property(units, exponent, exponent, (of, from, to) => {
        const scaled = BigInt(of) * 10n ** BigInt(to);
        const divisor = 10n ** BigInt(from);
        const isExact = scaled % divisor === 0n && scaled / divisor <= Number.MAX_SAFE_INTEGER;
        expect(rescaled(of, from, to)).toBe(isExact ? Number(scaled / divisor) : undefined);
      }),
    );
  });
});

describe('A page or message shows an amount', () => {
  test.each([
    ['en', 'IDR', 0, 350_000, 'IDR\u00a0350,000'],
    ['id', 'IDR', 0, 350_000, 'Rp350.000'],
    ['id', 'IDR', 2, -123_456, '-Rp1.234,56'],
    ['en', 'USD', 2, 1250, '$12.50'],
    ['en', 'USD', 0, 12, '$12'],
    ['en', 'USD', 2, largestAmount, '$90,000,000,000.00'],
    ['en', null, null, 1250, '1,250'],
  ])(
    'in %s, of %s with %s decimals: %d is %s',
    (locale, currency, currency_exponent, units, text) => {
      expect(moneyFormat(locale, { currency, currency_exponent })(units)).toBe(text);
    },
  );
});

test.each([
  [350_000, 0, 2, 35_000_000],
  [350_000, 2, 0, 3500],
  [1250, 3, 2, 125],
  [125, 2, 2, 125],
  [125, 2, 0, undefined],
  [largestAmount, 0, 9, undefined],
])('%d units of exponent %d, as units of exponent %d, are %s', (units, from, to, expected) => {
  expect(rescaled(units, from, to)).toBe(expected);
});
